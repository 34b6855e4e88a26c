import { sql } from 'drizzle-orm';
import type { LeadFilter } from '#shared/admin/adminLeads.ts';
import { leads, providers } from '../../db/schema/index.ts';
import type { Database } from '../../db/connect.ts';
import { crmStatus, leadConditions, leadOrder } from '../leads/leadConditions.ts';
import { type CsvColumns, csvOfQuery } from './csvFile.ts';

const columns: CsvColumns = {
  id: 'text',
  created_at: 'instant',
  first_name: 'text',
  last_name: 'text',
  email: 'text',
  phone: 'text',
  zip_code: 'text',
  provider_id: 'text',
  provider_name: 'text',
  crm_sync_status: 'text',
  acceptance_consent: 'text',
  acceptance_message: 'text',
};

/** Every lead a filter lets through, newest first. Neither addresses nor keys are among the columns. */
export function leadsCsv(db: Database, filter: LeadFilter): AsyncGenerator<Buffer, void> {
  const { key, orderBy } = leadOrder('-created_at');
  const query = sql`
    select ${leads.id} as id, ${leads.createdAt} at time zone 'UTC' as created_at, ${leads.firstName} as first_name,
      ${leads.lastName} as last_name, ${leads.email} as email, ${leads.phone} as phone, ${leads.zipCode} as zip_code,
      ${leads.providerId} as provider_id, ${providers.name} as provider_name, ${crmStatus} as crm_sync_status,
      ${leads.acceptanceConsent}::text as acceptance_consent, ${leads.acceptanceMessage} as acceptance_message
    from ${leads} left join ${providers} on ${providers.id} = ${leads.providerId}
    where ${leadConditions(filter)} order by ${orderBy(key, sql`${leads.id}`)}`;
  return csvOfQuery(db, query, columns);
}
