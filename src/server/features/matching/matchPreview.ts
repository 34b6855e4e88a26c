import type { MatchPreview } from '#shared/leads/matching.ts';
import type { Services } from '#server/services.ts';
import { viewOf } from '#server/tenant/providerRecord.ts';
import { matchOnSite, type SiteMatchRequest } from './siteMatch.ts';

/**
 * Names the clinic that a lead from this site with this ZIP would go to, by the intake's own matching; null when it would go to none.
 * Name and whole miles only: nothing here lets anyone contact or list clinics.
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
