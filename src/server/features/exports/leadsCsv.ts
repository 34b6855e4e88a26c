import { sql } from 'drizzle-orm';
import type { LeadFilter } from '#shared/adminLeads.ts';
import { leads, providers } from '../../db/schema/index.ts';
import type { Database } from '../../db/connect.ts';
import { crmStatus, leadConditions, leadOrder } from '../adminLeads/leadConditions.ts';
import { csvOfQuery } from './csvFile.ts';

export const leadsCsvColumns = [
  'id',
  'created_at',
  'first_name',
  'last_name',
  'email',
  'phone',
  'zip_code',
  'provider_id',
  'provider_name',
  'crm_sync_status',
  'acceptance_consent',
  'acceptance_message',
] as const;

/** Every lead a filter lets through, newest first. Neither addresses nor keys are among the columns. */
export function leadsCsv(db: Database, filter: LeadFilter): AsyncGenerator<string, void> {
  const { key, orderBy } = leadOrder('-created_at');
  const query = sql`
    select ${leads.id} as id, ${leads.createdAt} at time zone 'UTC' as created_at, ${leads.firstName} as first_name,
      ${leads.lastName} as last_name, ${leads.email} as email, ${leads.phone} as phone, ${leads.zipCode} as zip_code,
      ${leads.providerId} as provider_id, ${providers.name} as provider_name, ${crmStatus} as crm_sync_status,
      ${leads.acceptanceConsent} as acceptance_consent, ${leads.acceptanceMessage} as acceptance_message
    from ${leads} left join ${providers} on ${providers.id} = ${leads.providerId}
    where ${leadConditions(filter)} order by ${orderBy(key, sql`${leads.id}`)}`;
  return csvOfQuery(db, query, leadsCsvColumns, (row) =>
    leadsCsvColumns.map((column) => {
      const value = row[column] ?? null;
      return column === 'created_at' && typeof value === 'string' ? isoOf(value) : value;
    }),
  );
}

/** Postgres writes an instant of UTC as `2026-11-21 16:27:18.5`. */
function isoOf(timestamp: string): string {
  const [day = '', time = ''] = timestamp.split(' ');
  const [seconds = '', fraction = ''] = time.split('.');
  return `${day}T${seconds}.${fraction.padEnd(3, '0')}Z`;
}
