import { and, eq, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import {
  type AdminLead,
  getCursorOrder,
  leadListInput,
  type leadListOutput,
  type LeadFilter,
} from '#shared/admin/adminLeads.ts';
import { type WorklistCounts, worklistCountMax, worklistFilters } from '#shared/admin/worklist.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { giveUpAfter, readWithTimeout } from '#server/db/readWithTimeout.ts';
import { leads, providers } from '#server/db/schema/index.ts';
import { notFound } from '#server/errors.ts';
import { latestDelivery, leadColumns, toAdminLead } from '../leadColumns.ts';
import { changedAt, changedLeadConditions, isAfter, leadConditions, leadOrder } from './leadConditions.ts';
import { searchTerms } from './searchTerms.ts';

type ListInput = z.output<typeof leadListInput>;
type ListOutput = z.output<typeof leadListOutput>;

/**
 * Totals are exact up to `counted`. Above it, the total is the planner's estimate and marked as one. If the planner
 * expects `hopelessTimes` the limit, nothing is counted: its estimates are never that far off. Counting stops after
 * `countMs`. Up to `sorted` hits are read and sorted in memory.
 */
export const countingLimits = { counted: 100_000, sorted: 5_000, hopelessTimes: 2, countMs: 3_000 };

/** For staff, who see the page first. Their dashboard asks `countLeads` for a total that takes longer. */
export const hurriedLimits = { ...countingLimits, countMs: 60 };

interface LeadPage {
  /** Of the page, and of the first lead after it if there is one. */
  ids: number[];
  /** Null: not counted. */
  total: number | null;
  totalIsEstimate: boolean;
}

/**
 * One page of leads and their total, from one snapshot. The total is exact up to `limits.counted`; a page after a cursor
 * and a page of changes have none. Throws SERVICE_UNAVAILABLE after ten seconds.
 */
export function listLeads(db: Database, input: ListInput, limits = countingLimits): Promise<ListOutput> {
  return readWithTimeout(
    db,
    async (tx) => {
      const { ids, ...total } =
        input.updated_since === undefined
          ? await find(tx, input, limits)
          : await findChanged(tx, input, input.updated_since);
      const page = await readLeads(tx, ids.slice(0, input.limit));
      const [newest] = await tx
        .select({ id: leads.id })
        .from(leads)
        .orderBy(sql`${leads.id} desc`)
        .limit(1);
      return {
        leads: page,
        ...total,
        newestId: newest?.id ?? null,
        nextCursor: ids.length > input.limit ? cursorAfter(input, page) : null,
      };
    },
    { tooLong: 'This search takes too long. Add a word or a filter.' },
  );
}

/** The total of `listLeads`, without a page. */
export async function countLeads(
  db: Database,
  filter: LeadFilter & Pick<ListInput, 'upTo'>,
  limits = countingLimits,
): Promise<Pick<ListOutput, 'total' | 'totalIsEstimate'>> {
  const input = leadListInput.parse({ ...filter, limit: 1 });
  const { total, totalIsEstimate } = await listLeads(db, input, limits);
  return { total, totalIsEstimate };
}

/** Null if the order isn't by a time: a cursor is part of a URL, which must not contain a name or a ZIP. */
function cursorAfter(input: ListInput, page: readonly AdminLead[]): string | null {
  const [last, order] = [page.at(-1), getCursorOrder(input)];
  if (last === undefined || order === null) return null;
  const time = input.updated_since === undefined ? last.created_at : last.updated_at;
  return `${order}${Date.parse(time)}-${last.id}`;
}

/** The page and one more lead, which tells whether there is a next page. */
function buildPage({ page, limit }: ListInput): { limit: number; offset: number } {
  return { limit: limit + 1, offset: (page - 1) * limit };
}

/** Leads that were stored or changed since a time, the earliest change first. */
async function findChanged(tx: Queryable, input: ListInput, since: string): Promise<LeadPage> {
  const rows = await tx
    .select({ id: leads.id })
    .from(leads)
    .where(
      and(
        sql`${changedAt} >= ${new Date(since).toISOString()}::timestamptz`,
        input.cursor === undefined ? undefined : isAfter(input.cursor, changedAt, false),
        changedLeadConditions(input),
      ),
    )
    .orderBy(changedAt, leads.id)
    .limit(buildPage(input).limit);
  return { ids: rows.map(({ id }) => id), total: null, totalIsEstimate: false };
}

/**
 * Few hits are all read, counted and sorted. Of many hits, the page is read in order from the sort's index, which finds
 * them soon. Counting detects a wrong estimate of few. An estimate of many is based on a thousand samples, so its order
 * of magnitude is right.
 */
async function find(tx: Queryable, input: ListInput, limits: typeof countingLimits): Promise<LeadPage> {
  const conditions = listConditions(input);
  const searches = isSearch(input.search);
  const guess = await estimate(tx, conditions);
  const fewMax = searches ? limits.sorted * limits.hopelessTimes : limits.sorted;
  const isScattered = searches && guess <= fewMax && (await hitsAreScattered(tx, input, limits));
  const few = guess <= fewMax && !isScattered ? await findFew(tx, input, conditions, limits.sorted) : null;
  if (few !== null) return input.cursor === undefined ? few : { ...few, total: null };
  if (input.cursor !== undefined)
    return { ids: await findInOrder(tx, input, conditions), total: null, totalIsEstimate: false };
  const [counted, ids] =
    !searches && guess <= limits.counted
      ? // So few are counted soon. Both are sent together.
        await Promise.all([countUpTo(tx, conditions, limits.counted), findInOrder(tx, input, conditions)])
      : [await countMany(tx, conditions, guess, limits), await findInOrder(tx, input, conditions)];
  if (counted !== null && counted <= limits.counted) return { ids, total: counted, totalIsEstimate: false };
  // With the lead after the page, so that staff can turn to the next one.
  const seen = ids.length === 0 ? 0 : buildPage(input).offset + ids.length;
  return { ids, total: Math.max(guess, seen, counted ?? 0), totalIsEstimate: true };
}

function listConditions(input: ListInput): SQL {
  const { key, descending } = leadOrder(input.sort);
  const listed = leadConditions(input);
  const conditions = input.upTo === undefined ? listed : sql`${listed} and ${leads.id} <= ${input.upTo}`;
  return input.cursor === undefined
    ? conditions
    : sql`${conditions} and ${isAfter(input.cursor, key, descending)}`;
}

/** Null if the planner expects too many, or if counting takes too long. */
function countMany(
  tx: Queryable,
  conditions: SQL,
  guess: number,
  { counted, hopelessTimes, countMs }: typeof countingLimits,
): Promise<number | null> {
  if (guess > counted * hopelessTimes) return Promise.resolve(null);
  return giveUpAfter(tx, countMs, (inner) => countUpTo(inner, conditions, counted));
}

/**
 * Whether both the search and the filters match many leads, and only together few: the search matches far more than can
 * be sorted, and the filters, counted by an index, more than that. Sorting the hits would read all of these leads, while
 * a page in order needs only some. Only the count reads them, for as long as it may.
 */
async function hitsAreScattered(
  tx: Queryable,
  input: ListInput,
  { sorted, hopelessTimes }: typeof countingLimits,
): Promise<boolean> {
  const { search, deleted } = input;
  const withWords = await estimate(tx, leadConditions({ search, deleted }));
  if (withWords <= sorted * hopelessTimes) return false;
  return (await countUpTo(tx, leadConditions({ ...input, search: '' }), sorted)) > sorted;
}

function isSearch(search: string | undefined): boolean {
  return searchTerms(search ?? '').length > 0;
}

/** Null if there are more than `max`. */
async function findFew(
  tx: Queryable,
  input: ListInput,
  conditions: SQL,
  max: number,
): Promise<LeadPage | null> {
  const { key, orderBy } = leadOrder(input.sort);
  const { limit, offset } = buildPage(input);
  const order = orderBy(sql`found.key`, sql`found.id`);
  const hits = sql`found as materialized (select ${leads.id} as id, ${key} as key from ${leads} where ${conditions} limit ${max + 1})`;
  // An index with all filtered columns finds the hits. The leads themselves are read afterwards, when there are few.
  const hitsByIndex = sql`hits as materialized (select ${leads.id} as id from ${leads} where ${conditions} limit ${max + 1}),
    found as materialized (select ${leads.id} as id, ${key} as key from ${leads} where ${leads.id} in (select id from hits))`;
  const rows = await tx.execute(sql`
    with ${isSearch(input.search) ? hits : hitsByIndex},
    page as (select id, row_number() over (order by ${order}) as place from found order by ${order} limit ${limit} offset ${offset})
    select (select count(*) from found)::int as total,
      coalesce((select json_agg(id order by place) from page), '[]'::json) as ids`);
  const { total, ids } = fewRow.parse(rows[0]);
  return total > max ? null : { ids, total, totalIsEstimate: false };
}

const fewRow = z.object({ total: z.number(), ids: z.array(z.number()) });

async function findInOrder(tx: Queryable, input: ListInput, conditions: SQL): Promise<number[]> {
  const { key, orderBy } = leadOrder(input.sort);
  const { limit, offset } = buildPage(input);
  const rows = await tx
    .select({ id: leads.id })
    .from(leads)
    .where(conditions)
    .orderBy(orderBy(key, sql`${leads.id}`))
    .limit(limit)
    .offset(offset);
  return rows.map(({ id }) => id);
}

/** `max + 1` if there are more than `max`. */
async function countUpTo(tx: Queryable, conditions: SQL, max: number): Promise<number> {
  const rows = await tx.execute(
    sql`select count(*)::int as total from (select 1 from ${leads} where ${conditions} limit ${max + 1}) as counted`,
  );
  return countedRow.parse(rows[0]).total;
}

const countedRow = z.object({ total: z.number() });

const explained = z.object({
  'QUERY PLAN': z.tuple([z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })]),
});

/** The planner's estimate of the number of rows, from the statistics of autovacuum. */
async function estimate(tx: Queryable, conditions: SQL): Promise<number> {
  const rows = await tx.execute(sql`explain (format json) select 1 from ${leads} where ${conditions}`);
  return explained.parse(rows[0])['QUERY PLAN'][0].Plan['Plan Rows'];
}

/** Leads by id, in this order. Unknown ids are omitted. */
export async function readLeads(db: Queryable, ids: readonly number[]): Promise<AdminLead[]> {
  if (ids.length === 0) return [];
  const crm = latestDelivery(db, 'crm');
  const provider = latestDelivery(db, 'provider-email');
  const listColumns = ({ state, reason, nextAttemptAt, leasedUntil }: typeof crm) => ({
    ...{ state, reason, nextAttemptAt, leasedUntil },
  });
  const rows = await db
    .select({ ...leadColumns, crm: listColumns(crm), provider: listColumns(provider) })
    .from(leads)
    .leftJoin(providers, eq(providers.id, leads.providerId))
    .leftJoinLateral(crm, sql`true`)
    .leftJoinLateral(provider, sql`true`)
    .where(sql`${leads.id} = any (${sql.param([...ids])}::bigint[])`);
  const byId = new Map(rows.map((row) => [row.id, toAdminLead(row, row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** One lead as the list shows it, deleted or not. Throws NOT_FOUND 'Lead not found'. */
export async function getLead(db: Queryable, id: number): Promise<AdminLead> {
  const [lead] = await readLeads(db, [id]);
  if (lead === undefined) throw notFound('Lead');
  return lead;
}

/** Counts up to one more than the worklist shows. */
function countGroup(tx: Queryable, filter: LeadFilter): Promise<number> {
  return countUpTo(tx, leadConditions(filter), worklistCountMax);
}

/**
 * Counts each group of the worklist in one snapshot, up to `worklistCountMax` + 1. Throws SERVICE_UNAVAILABLE after ten
 * seconds.
 */
export function countWorklist(db: Database): Promise<WorklistCounts> {
  return readWithTimeout(
    db,
    async (tx) => ({
      clinic: await countGroup(tx, worklistFilters.clinic),
      crm: await countGroup(tx, worklistFilters.crm),
      unmatched: await countGroup(tx, worklistFilters.unmatched),
      overLimit: await countGroup(tx, worklistFilters.overLimit),
      quarantined: await countGroup(tx, worklistFilters.quarantined),
      returned: await countGroup(tx, worklistFilters.returned),
      phone: await countGroup(tx, worklistFilters.phone),
      mailbox: await countGroup(tx, worklistFilters.mailbox),
      replies: await countGroup(tx, worklistFilters.replies),
    }),
    { tooLong: 'Counting the leads that need attention takes too long. Try again in a minute.' },
  );
}
