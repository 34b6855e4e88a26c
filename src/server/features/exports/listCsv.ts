import { sql } from 'drizzle-orm';
import type { LeadFilter } from '#shared/admin/adminLeads.ts';
import type { ProviderGroup } from '#shared/admin/adminProviders.ts';
import { describeLeadField, leadFieldTable, listOutputFields } from '#shared/leads/leadFieldTable.ts';
import { clinicFields } from '#shared/providers/clinicFields.ts';
import { fieldsIn } from '#shared/providers/providerFieldLists.ts';
import type { Database } from '../../db/connect.ts';
import { selectFields } from '../../db/providerFields.ts';
import { deliveries, leadAttribution, leadOutcomes, leads, providers } from '../../db/schema/index.ts';
import { crmStatus, isNoTest, leadConditions, leadOrder } from '../leads/list/leadConditions.ts';
import { groupStatus } from '../providers/adminProvidersQueries.ts';
import { leadCountOfEach } from '../providers/providerColumns.ts';
import { type CsvColumns, queryCsv } from './csv.ts';

type OnRows = (rows: number) => void;

const csvFields = listOutputFields('csv');

/** A cell for each of these fields. */
function fieldColumns(isRequired: boolean): CsvColumns {
  return Object.fromEntries(
    csvFields
      .map((field) => ({ field, ...describeLeadField(field), column: leadFieldTable[field].column }))
      .filter(({ required }) => required === isRequired)
      .map(({ field, kind, column }) => [field, [kind === 'phone' ? 'phone' : 'text', leads[column]]]),
  );
}

/** A new column is the last. */
const leadCsvColumns: CsvColumns = {
  id: ['value', leads.id],
  created_at: ['instant', leads.createdAt],
  ...fieldColumns(true),
  provider_id: ['value', leads.providerId],
  provider_name: ['text', providers.name],
  crm_sync_status: ['value', crmStatus],
  acceptance_consent: ['value', leads.acceptanceConsent],
  acceptance_message: ['text', leads.acceptanceMessage],
  answers: [
    'text',
    sql`(select string_agg((said ->> 'question') || ': ' || (said ->> 'answer'), '; ' order by place)
      from jsonb_array_elements(${leads.answers}) with ordinality as given (said, place))`,
  ],
  ...fieldColumns(false),
  outcome: ['value', leads.outcome],
  // The case spares most leads the subquery.
  outcome_at: [
    'instant',
    sql`case when ${leads.outcome} is not null then (select ${leadOutcomes.at} from ${leadOutcomes}
      where ${leadOutcomes.leadId} = ${leads.id} order by ${leadOutcomes.id} desc limit 1) end`,
  ],
  // As in the list of leads.
  clinic_email: [
    'value',
    sql`(select ${deliveries.state} from ${deliveries}
      where ${deliveries.leadId} = ${leads.id} and ${deliveries.channel} = 'provider-email'
        and ${deliveries.template} = 'lead'
      order by ${deliveries.createdAt} desc limit 1)`,
  ],
  distance_miles: ['value', leads.matchDistanceMiles],
  campaign: ['text', leadAttribution.utmCampaign],
};

/** All leads that match a filter but tests, newest first, without IP addresses and keys. `onRows` gets how many were taken. */
export function leadsCsv(db: Database, filter: LeadFilter, onRows?: OnRows): AsyncGenerator<string, void> {
  const { key, orderBy } = leadOrder('-created_at');
  const from = sql`from ${leads} left join ${providers} on ${providers.id} = ${leads.providerId}
      left join ${leadAttribution} on ${leadAttribution.leadId} = ${leads.id} and ${leadAttribution.touch} = 'first'
      where ${leadConditions(filter)} and ${isNoTest} order by ${orderBy(key, sql`${leads.id}`)}`;
  return queryCsv(db, { columns: leadCsvColumns, from, onRows });
}

/** The specification's columns first. */
const providerCsvColumns: CsvColumns = {
  id: ['value', providers.id],
  wordpress_id: ['value', providers.wordpressId],
  name: ['text', providers.name],
  practiceName: ['text', providers.practiceName],
  email: ['text', providers.email],
  phone: ['phone', providers.phone],
  address: ['text', providers.address],
  zipCode: ['text', providers.zipCode],
  website: ['text', providers.website],
  status: ['value', sql`case ${providers.status} when 't' then 'Active' else 'Inactive' end`],
  leadCount: ['value', sql`coalesce(counted.lead_count, 0)`],
  ...addedColumns(),
};

/** The columns that follow the specification's. Lists are texts, as an import reads them. */
function addedColumns(): CsvColumns {
  const added = Object.entries(selectFields(fieldsIn('csv'))).filter(([name]) =>
    Object.hasOwn(clinicFields, name),
  );
  return Object.fromEntries(
    added.map(([name, column]) => [
      name,
      ['text', column.dataType === 'array' ? sql`array_to_string(${column}, ', ')` : column] as const,
    ]),
  );
}

/** All providers of a group, by id, with the specification's columns. */
export function providersCsv(
  db: Database,
  group: ProviderGroup,
  onRows?: OnRows,
): AsyncGenerator<string, void> {
  const from = sql`from ${providers} left join ${leadCountOfEach} as counted on counted.provider_id = ${providers.id}
      where ${providers.status} = ${groupStatus[group]} order by ${providers.id}`;
  return queryCsv(db, { columns: providerCsvColumns, from, onRows });
}
