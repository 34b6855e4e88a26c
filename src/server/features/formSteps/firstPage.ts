import type { Site } from '#server/tenant/site.ts';
import { toFirstPage } from '#shared/pages/firstPages.ts';

/** The page and campaign with which a visit began. */
export interface FirstVisit {
  page: string;
  /** Empty: none. */
  campaign: string;
}

/** The campaign under which those beyond the limit of a day are counted. */
export const otherCampaigns = '(others)';

/** What a browser says of the beginning of its visit. A campaign with an `@` may have an address, and is left out. */
export function toFirstVisit(
  site: Site,
  { page, campaign = '' }: { page?: string | undefined; campaign?: string | undefined },
): FirstVisit {
  return {
    page: toFirstPage({ isProviderSite: site.kind === 'tenant', path: page }),
    campaign: campaign.includes('@') ? '' : campaign,
  };
}
