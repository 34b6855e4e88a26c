import { zipFive } from '#shared/leads/zip.ts';
import type { MatchPreview } from '#shared/leads/matching.ts';
import type { Services } from '#server/services.ts';
import { viewOf } from '#server/tenant/providerRecord.ts';
import type { Site } from '../../tenant/site.ts';
import { type Match, matchLead } from './match.ts';

export interface SiteMatchRequest {
  site: Site;
  /** As typed. */
  zipCode: string;
  /** `?providerId=`; it counts on the main site only. */
  requestedId: number | null;
}

/**
 * The match of a ZIP on a site. The lead's intake and the preview beside the consent box both call it, so that the
 * provider that is named is the one that is matched.
 */
export function matchOnSite(
  { db, config, zipTable, tenants }: Pick<Services, 'db' | 'config' | 'zipTable' | 'tenants'>,
  { site, zipCode, requestedId }: SiteMatchRequest,
): Promise<Match> {
  return matchLead(db, {
    zip5: zipFive(zipCode),
    zipCode,
    tenant: site.tenant,
    requestedId: site.kind === 'unknown' ? null : requestedId,
    radiusMiles: config.matchRadiusMiles,
    zipTable,
    findActive: async (id) => (await tenants.findById(id)) !== null,
  });
}

/**
 * Names the provider that a lead from this site with this ZIP would be matched with; null without one. Returns name and
 * whole miles only, so that nobody can contact or list providers with it.
 */
export async function previewMatch(
  services: Pick<Services, 'db' | 'config' | 'zipTable' | 'tenants'>,
  request: SiteMatchRequest,
): Promise<MatchPreview> {
  const { providerId, distanceMiles } = await matchOnSite(services, request);
  if (providerId === null) return null;
  const { tenant } = request.site;
  const provider = tenant?.id === providerId ? tenant : await services.tenants.findById(providerId);
  if (provider === null) return null;
  return {
    name: viewOf(provider).label,
    distanceMiles: distanceMiles === null ? null : Math.round(distanceMiles),
  };
}
