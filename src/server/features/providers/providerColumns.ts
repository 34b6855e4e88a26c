import { sql } from 'drizzle-orm';
import type { AdminProvider } from '#shared/admin/adminProviders.ts';
import { providers, type ProviderRow, leads } from '#server/db/schema/index.ts';
import { staffColumns } from '#server/db/providerFields.ts';

/** The columns of a provider for staff. Of `mpxapi`, only whether it is set leaves the database. */
export const adminColumns = {
  ...staffColumns,
  locationSource: providers.locationSource,
  hasMpxapi: sql<boolean>`${providers.mpxapi} is not null`,
} as const;

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

/** Lead counts of providers with leads, without deleted leads, as `provider_id` and `lead_count`. */
export const leadCountOfEach = sql`(
  select ${leads.providerId} as provider_id, count(*)::int as lead_count from ${leads}
  where ${leads.providerId} is not null and ${leads.deletedAt} is null group by ${leads.providerId})`;

/** The lead count of one provider. */
export function findLeadCount(id: number) {
  return sql<number>`(
    select count(*)::int from ${leads} where ${leads.providerId} = ${id} and ${leads.deletedAt} is null)`;
}
