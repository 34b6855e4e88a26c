import { sql } from 'drizzle-orm';
import type { AdminProvider } from '#shared/admin/adminProviders.ts';
import { providers, type ProviderRow } from '#server/db/schema/index.ts';
import { publicColumns, type PublicRow, toPublicProvider } from '#server/tenant/presenter.ts';

/** The columns of a provider for staff. Of `mpxapi`, only whether it is set leaves the database. */
export const adminColumns = {
  ...publicColumns,
  wordpressId: providers.wordpressId,
  email: providers.email,
  googleAdsId: providers.googleAdsId,
  bingAdsId: providers.bingAdsId,
  paused: providers.paused,
  matchRadiusMiles: providers.matchRadiusMiles,
  themeHue: providers.themeHue,
  locationSource: providers.locationSource,
  hasMpxapi: sql<boolean>`${providers.mpxapi} is not null`,
} as const;

type AdminRow = PublicRow &
  Pick<
    ProviderRow,
    | 'wordpressId'
    | 'email'
    | 'googleAdsId'
    | 'bingAdsId'
    | 'paused'
    | 'matchRadiusMiles'
    | 'themeHue'
    | 'locationSource'
  > & { hasMpxapi: boolean; leadCount: number };

/**
 * A provider for staff, under the specification's names. `unreachable`: of `listUnreachable`, the providers that emails
 * are held for.
 */
export function toAdminProvider(
  row: AdminRow,
  unreachable: ReadonlyMap<number, AdminProvider['unreachable']>,
): AdminProvider {
  return {
    ...toPublicProvider(row),
    wordpress_id: row.wordpressId,
    email: row.email,
    google_ads_id: row.googleAdsId,
    bing_ads_id: row.bingAdsId,
    leadCount: row.leadCount,
    paused: row.paused,
    matchRadiusMiles: row.matchRadiusMiles,
    themeHue: row.themeHue,
    hasMpxapi: row.hasMpxapi,
    isApproximate: row.locationSource !== 'coordinates',
    unreachable: unreachable.get(row.id) ?? null,
  };
}
