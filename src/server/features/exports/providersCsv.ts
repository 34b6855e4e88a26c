import { sql } from 'drizzle-orm';
import type { ProviderGroup } from '#shared/admin/adminProviders.ts';
import type { Database } from '../../db/connect.ts';
import { providers } from '../../db/schema/index.ts';
import { statusOf } from '../providers/adminProvidersQueries.ts';
import { leadCountOfEach } from '../providers/leadCounts.ts';
import { type CsvColumns, csvOfQuery } from './csvFile.ts';

const columns: CsvColumns = {
  id: 'text',
  wordpress_id: 'text',
  name: 'text',
  practiceName: 'text',
  email: 'text',
  phone: 'text',
  address: 'text',
  zipCode: 'text',
  website: 'text',
  status: 'text',
  leadCount: 'text',
};

/** One group's clinics by number, with the specification's columns. */
export function providersCsv(db: Database, group: ProviderGroup): AsyncGenerator<Buffer, void> {
  const query = sql`
    select ${providers.id} as id, ${providers.wordpressId} as wordpress_id, ${providers.name} as name,
      ${providers.practiceName} as "practiceName", ${providers.email} as email, ${providers.phone} as phone,
      ${providers.address} as address, ${providers.zipCode} as "zipCode", ${providers.website} as website,
      case ${providers.status} when 't' then 'Active' else 'Inactive' end as status, coalesce(counted.lead_count, 0) as "leadCount"
    from ${providers} left join ${leadCountOfEach} as counted on counted.provider_id = ${providers.id}
    where ${providers.status} = ${statusOf[group]} order by ${providers.id}`;
  return csvOfQuery(db, query, columns);
}
