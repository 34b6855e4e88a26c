import { clockTime } from '#shared/formats/localTime.ts';
import { zipInText } from '#shared/leads/zip.ts';
import { getCity } from '#shared/providers/addressParts.ts';
import { getInitial } from '#shared/providers/providerView.ts';
import { readOpening } from '#shared/providers/openingHours.ts';
import type { MatchPreview } from '#shared/leads/matching.ts';
import type { Services } from '#server/services.ts';
import { toView } from '#server/tenant/providerRecord.ts';
import type { Site } from '#server/tenant/site.ts';
import { type Match, matchLead } from './match.ts';
import { findNearestProvider } from './matchQueries.ts';

export interface SiteMatchRequest {
  site: Site;
  /** As typed. */
  zipCode: string;
  /** `?providerId=`. Ignored on unknown hosts; on a tenant's host, the tenant wins (match.ts). */
  requestedId: number | null;
}

type MatchServices = Pick<Services, 'db' | 'config' | 'zipTable' | 'tenants' | 'now'>;

/**
 * The match of a ZIP on a site. Intake and the preview beside the consent box use it, so both name the same provider.
 */
export function matchOnSite(
  { db, config, zipTable, tenants }: MatchServices,
  { site, zipCode, requestedId }: SiteMatchRequest,
): Promise<Match> {
  return matchLead(db, {
    zip5: zipInText(zipCode),
    zipCode,
    tenant: site.tenant,
    requestedId: site.kind === 'unknown' ? null : requestedId,
    radiusMiles: config.matchRadiusMiles,
    zipTable,
    findActive: async (id) => (await tenants.findById(id)) !== null,
  });
}

/**
 * Names the provider that a lead with this ZIP would be matched with here, otherwise the nearest beyond reach, or null.
 * Returns no contact details and whole miles only, so that nobody can contact providers with it.
 */
export async function previewMatch(
  services: MatchServices,
  request: SiteMatchRequest,
): Promise<MatchPreview> {
  const match = await matchOnSite(services, request);
  const found = match.providerId === null ? await nearestBeyondReach(services, request.zipCode) : match;
  if (found === null || found.providerId === null) return null;
  const { providerId, distanceMiles } = found;
  const { tenant } = request.site;
  const provider = tenant?.id === providerId ? tenant : await services.tenants.findById(providerId);
  if (provider === null) return null;
  const { label, address, city, state, imageUrl, hours, timeZone } = toView(provider);
  const now = services.now();
  const opening = readOpening({ hours, timeZone }, now);
  return {
    id: providerId,
    name: label,
    city: address === null && city !== null ? `${city}, ${state}` : getCity(address),
    initial: getInitial(label),
    imageUrl,
    distanceMiles: distanceMiles === null ? null : Math.round(distanceMiles),
    isWithinReach: match.providerId !== null,
    clock: timeZone === null ? null : clockTime(now, timeZone),
    opening: opening && { isOpen: opening.isOpen, until: opening.until },
  };
}

/** The nearest provider at any distance; null for an unknown ZIP. */
async function nearestBeyondReach(
  { db, zipTable }: Pick<MatchServices, 'db' | 'zipTable'>,
  zipCode: string,
): Promise<{ providerId: number; distanceMiles: number } | null> {
  const zip5 = zipInText(zipCode);
  const place = zip5 === null ? null : zipTable.lookup(zip5);
  const nearest = place === null ? null : await findNearestProvider(db, place);
  return nearest === null ? null : { providerId: nearest.id, distanceMiles: nearest.distanceMiles };
}
