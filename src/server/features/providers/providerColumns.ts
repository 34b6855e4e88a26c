import { sql } from 'drizzle-orm';
import type { AdminProvider } from '#shared/admin/adminProviders.ts';
import type { Queryable } from '#server/db/connect.ts';
import { providers, type ProviderRow, leads } from '#server/db/schema/index.ts';
import { staffColumns } from '#server/db/providerFields.ts';

/** The columns of a provider for staff. Of `mpxapi`, only whether it is set leaves the database. */
const adminColumns = {
  ...staffColumns,
  locationSource: providers.locationSource,
  hasMpxapi: sql<boolean>`${providers.mpxapi} is not null`,
} as const;

/** Lead counts of providers with leads, without deleted leads, as `provider_id` and `lead_count`. */
export const leadCountOfEach = sql`(
  select ${leads.providerId} as provider_id, count(*)::int as lead_count from ${leads}
  where ${leads.providerId} is not null and ${leads.deletedAt} is null group by ${leads.providerId})`;

/** A query of providers for staff, with their lead counts. */
export function selectForStaff(db: Queryable) {
  return db
    .select({ ...adminColumns, leadCount: sql<number>`coalesce(counted.lead_count, 0)` })
    .from(providers)
    .leftJoin(sql`${leadCountOfEach} as counted`, sql`counted.provider_id = ${providers.id}`)
    .$dynamic();
}

type AdminRow = Omit<AdminProvider, 'isApproximate' | 'unreachable'> & Pick<ProviderRow, 'locationSource'>;

/** A provider for staff. `unreachable`: of `listUnreachable`, the providers that emails are held for. */
export function toAdminProvider(
  { locationSource, ...row }: AdminRow,
  unreachable: ReadonlyMap<number, AdminProvider['unreachable']>,
): AdminProvider {
  return {
    ...row,
    isApproximate: locationSource !== 'coordinates',
    unreachable: unreachable.get(row.id) ?? null,
  };
}
