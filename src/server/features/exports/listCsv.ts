import { sql } from 'drizzle-orm';
import type { LeadFilter } from '#shared/admin/adminLeads.ts';
import type { ProviderGroup } from '#shared/admin/adminProviders.ts';
import type { Database } from '../../db/connect.ts';
import { leads, providers } from '../../db/schema/index.ts';
import { crmStatus, leadConditions, leadOrder } from '../leads/leadConditions.ts';
import { statusOf } from '../providers/adminProvidersQueries.ts';
import { leadCountOfEach } from '../providers/leadCounts.ts';
import { type CsvColumns, csvOfQuery } from './csv.ts';

const leadCsvColumns: CsvColumns = {
  id: 'value',
  created_at: 'instant',
  first_name: 'text',
  last_name: 'text',
  email: 'text',
  phone: 'text',
  zip_code: 'text',
  provider_id: 'value',
  provider_name: 'text',
  crm_sync_status: 'value',
  acceptance_consent: 'value',
  acceptance_message: 'text',
};

/** All leads that match a filter, newest first. The columns contain neither IP addresses nor keys. */
export function leadsCsv(db: Database, filter: LeadFilter): AsyncGenerator<string, void> {
  const { key, orderBy } = leadOrder('-created_at');
  const query = sql`
    select ${leads.id} as id, ${leads.createdAt} at time zone 'UTC' as created_at, ${leads.firstName} as first_name,
      ${leads.lastName} as last_name, ${leads.email} as email, ${leads.phone} as phone, ${leads.zipCode} as zip_code,
      ${leads.providerId} as provider_id, ${providers.name} as provider_name, ${crmStatus} as crm_sync_status,
      ${leads.acceptanceConsent}::text as acceptance_consent, ${leads.acceptanceMessage} as acceptance_message
    from ${leads} left join ${providers} on ${providers.id} = ${leads.providerId}
    where ${leadConditions(filter)} order by ${orderBy(key, sql`${leads.id}`)}`;
  return csvOfQuery(db, query, leadCsvColumns);
}

const providerColumns: CsvColumns = {
  id: 'value',
  wordpress_id: 'value',
  name: 'text',
  practiceName: 'text',
  email: 'text',
  phone: 'text',
  address: 'text',
  zipCode: 'text',
  website: 'text',
  status: 'value',
  leadCount: 'value',
};

/** All providers of a group, by id, with the specification's columns. */
export function providersCsv(db: Database, group: ProviderGroup): AsyncGenerator<string, void> {
  const query = sql`
    select ${providers.id} as id, ${providers.wordpressId} as wordpress_id, ${providers.name} as name,
      ${providers.practiceName} as "practiceName", ${providers.email} as email, ${providers.phone} as phone,
      ${providers.address} as address, ${providers.zipCode} as "zipCode", ${providers.website} as website,
      case ${providers.status} when 't' then 'Active' else 'Inactive' end as status, coalesce(counted.lead_count, 0) as "leadCount"
    from ${providers} left join ${leadCountOfEach} as counted on counted.provider_id = ${providers.id}
    where ${providers.status} = ${statusOf[group]} order by ${providers.id}`;
  return csvOfQuery(db, query, providerColumns);
}
