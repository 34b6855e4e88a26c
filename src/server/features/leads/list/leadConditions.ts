import { and, eq, inArray, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { CrmStatus, LeadFilter, LeadSort } from '#shared/admin/adminLeads.ts';
import { isWithin } from '#server/db/readRows.ts';
import { deliveries, leads, overLimitLeads } from '#server/db/schema/index.ts';
import { searchConditions } from './searchConditions.ts';

/** An empty status means pending. */
export const crmStatus = sql<CrmStatus>`coalesce(${leads.crmSyncStatus}, 'pending')`;

/** In terms that an index and the column's statistics serve. */
function hasStatus(status: CrmStatus): SQL | undefined {
  const is = eq(leads.crmSyncStatus, status);
  return status === 'pending' ? or(is, isNull(leads.crmSyncStatus)) : is;
}

function isSet(column: Parameters<typeof isNull>[0], wanted: boolean | undefined): SQL | undefined {
  if (wanted === undefined) return undefined;
  return wanted ? isNotNull(column) : isNull(column);
}

/** Queries a table that is almost always empty. No index has the lead's own reason. */
function isOverLimit(wanted: boolean): SQL {
  const found = sql`exists (select from ${overLimitLeads} where ${overLimitLeads.leadId} = ${leads.id})`;
  return wanted ? found : sql`not ${found}`;
}

/** Not a test by staff. */
export const isNoTest = sql`${leads.quarantineReason} is distinct from 'test'`;

/** Staff judge neither leads over the limit nor tests, so the filter omits them. */
function isQuarantined(wanted: boolean | undefined): SQL | undefined {
  return wanted === true
    ? and(isNotNull(leads.quarantinedAt), isNoTest, isOverLimit(false))
    : isSet(leads.quarantinedAt, wanted);
}

function hasOutcome(outcome: NonNullable<LeadFilter['outcome']>): SQL | undefined {
  if (outcome === 'overdue') return isOverdue;
  if (outcome === 'contacted') return inArray(leads.outcome, ['reached', 'booked']);
  return outcome === 'none' ? isNull(leads.outcome) : eq(leads.outcome, outcome);
}

/**
 * Its present provider got it more than 24 hours ago and has reported nothing. Limited to the leads of 30 days, so that
 * an index finds the few that need a look-up in the deliveries.
 */
const isOverdue = and(
  isNull(leads.outcome),
  isNotNull(leads.providerId),
  isNull(leads.quarantinedAt),
  sql`${leads.createdAt} > now() - interval '30 days' and ${leads.createdAt} <= now() - interval '24 hours'`,
  // A look-up for each of them. As a join, Postgres would read all deliveries.
  sql`(select min(${deliveries.finishedAt}) from ${deliveries} where ${deliveries.leadId} = ${leads.id} and ${deliveries.providerId} = ${leads.providerId}
    and ${deliveries.channel} = 'provider-email' and ${deliveries.template} = 'lead' and ${deliveries.state} = 'delivered') <= now() - interval '24 hours'`,
);

/** Columns that `features/outbox/leadStatus.ts` keeps, each with an index. */
const hasDelivery = { failed: leads.deliveryFailed, clinic: leads.clinicNotReached } as const;

/** From the index of open tasks, of which there are few. */
function hasTask(kind: NonNullable<LeadFilter['task']>): SQL {
  return sql`${leads.id} in (select lead_id from staff_tasks where kind = ${kind} and done_at is null)`;
}

/** The condition of a filter: only deleted leads, or none of them. Days are in UTC, both included. */
export function leadConditions(filter: LeadFilter): SQL {
  return changedLeadConditions({ ...filter, deleted: filter.deleted === true });
}

/** The same, but with deleted leads among the others if the filter says nothing about them. */
export function changedLeadConditions(filter: LeadFilter): SQL {
  const conditions = and(
    isSet(leads.deletedAt, filter.deleted),
    filter.providerId === undefined ? undefined : eq(leads.providerId, filter.providerId),
    filter.match === undefined ? undefined : isSet(leads.providerId, filter.match === 'matched'),
    isQuarantined(filter.quarantined),
    filter.overLimit === undefined ? undefined : isOverLimit(filter.overLimit),
    isSet(leads.duplicateOf, filter.repeat),
    filter.status === undefined ? undefined : hasStatus(filter.status),
    filter.outcome === undefined ? undefined : hasOutcome(filter.outcome),
    filter.delivery === undefined ? undefined : hasDelivery[filter.delivery],
    filter.task === undefined ? undefined : hasTask(filter.task),
    filter.followUpBy === undefined ? undefined : lte(leads.followUpOn, filter.followUpBy),
    isWithin(leads.createdAt, filter),
    ...searchConditions(filter.search, leads.searchText, leads.id),
  );
  return conditions ?? sql`true`;
}

/** An index's expression, and whether that index is in descending order. */
interface SortKey {
  key: SQL;
  indexDescends: boolean;
}

const createdAt: SortKey = { key: sql`${leads.createdAt}`, indexDescends: true };
const lastName: SortKey = { key: sql`lower(${leads.lastName}) collate "C"`, indexDescends: false };
const zipCode: SortKey = { key: sql`${leads.zipCode} collate "C"`, indexDescends: false };

/** When a lead last changed, as its index has it. */
export const changedAt = sql`coalesce(${leads.updatedAt}, ${leads.createdAt})`;

/** The leads after a cursor in the order of a key that is a time. */
export function isAfter(cursor: string, key: SQL, descending: boolean): SQL {
  const [ms, id] = cursor.slice(1).split('-').map(Number);
  const position = sql`(${new Date(ms ?? 0).toISOString()}::timestamptz, ${id}::bigint)`;
  return sql`(${key}, ${leads.id}) ${descending ? sql`<` : sql`>`} ${position}`;
}

/** Equal keys are ordered by id, in the same direction. */
const orders: Record<LeadSort, SortKey & { descending: boolean }> = {
  '-created_at': { ...createdAt, descending: true },
  created_at: { ...createdAt, descending: false },
  '-last_name': { ...lastName, descending: true },
  last_name: { ...lastName, descending: false },
  '-zip_code': { ...zipCode, descending: true },
  zip_code: { ...zipCode, descending: false },
};

/** The order of a sort. The position of nulls is that of the index, or Postgres would not use it. */
export function leadOrder(sort: LeadSort): {
  key: SQL;
  descending: boolean;
  orderBy: (key: SQL, id: SQL) => SQL;
} {
  const { key, descending, indexDescends } = orders[sort];
  const direction = descending ? sql`desc` : sql`asc`;
  const nulls = descending === indexDescends ? sql`nulls last` : sql`nulls first`;
  return {
    key,
    descending,
    orderBy: (by, id) => sql`${by} ${direction} ${nulls}, ${id} ${direction} ${nulls}`,
  };
}
