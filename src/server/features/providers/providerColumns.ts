import { sql } from 'drizzle-orm';
import type { AdminProvider } from '#shared/admin/adminProviders.ts';
import { providers, type ProviderRow } from '#server/db/schema/index.ts';
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
