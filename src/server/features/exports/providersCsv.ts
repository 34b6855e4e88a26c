import { sql } from 'drizzle-orm';
import type { ProviderGroup } from '#shared/adminProviders.ts';
import type { Database } from '../../db/connect.ts';
import { providers } from '../../db/schema/index.ts';
import { statusOf } from '../adminProviders/adminProvidersQueries.ts';
import { leadCountOfEach } from '../adminProviders/leadCounts.ts';
import { csvOfQuery } from './csvFile.ts';

export const providersCsvColumns = [
  'id',
  'wordpress_id',
  'name',
  'practiceName',
  'email',
  'phone',
  'address',
  'zipCode',
  'website',
  'status',
  'leadCount',
] as const;

/** One group's clinics by number, with the specification's columns. */
export function providersCsv(db: Database, group: ProviderGroup): AsyncGenerator<string, void> {
  const query = sql`
    select ${providers.id} as id, ${providers.wordpressId} as wordpress_id, ${providers.name} as name,
      ${providers.practiceName} as "practiceName", ${providers.email} as email, ${providers.phone} as phone,
      ${providers.address} as address, ${providers.zipCode} as "zipCode", ${providers.website} as website,
      case ${providers.status} when 't' then 'Active' else 'Inactive' end as status, coalesce(counted.lead_count, 0) as "leadCount"
    from ${providers} left join ${leadCountOfEach} as counted on counted.provider_id = ${providers.id}
    where ${providers.status} = ${statusOf[group]} order by ${providers.id}`;
  return csvOfQuery(db, query, providersCsvColumns, (row) =>
    providersCsvColumns.map((column) => row[column] ?? null),
  );
}
