import { and, eq, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import {
  type AdminLead,
  getCursorOrder,
  leadListInput,
  type leadListOutput,
  type LeadFilter,
} from '#shared/admin/adminLeads.ts';
import {
  listCountMax,
  type WorklistCounts,
  worklistCountMax,
  worklistFilters,
  type worklistInput,
} from '#shared/admin/worklist.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { bigintColumn, readRow, readRows } from '#server/db/readRows.ts';
import { giveUpAfter, inIndexOrder, readWithTimeout } from '#server/db/readWithTimeout.ts';
import { leads, providers } from '#server/db/schema/index.ts';
import { notFound } from '#server/errors.ts';
import { latestDelivery, leadColumns, toAdminLead } from '../leadColumns.ts';
import { changedAt, changedLeadConditions, isAfter, leadConditions, leadOrder } from './leadConditions.ts';
import { searchTerms } from './searchTerms.ts';

type ListInput = z.output<typeof leadListInput>;
type ListOutput = z.output<typeof leadListOutput>;

/**
 * How a page is found. A search first reads the index of the order for `frequentMs`, which is enough for frequent words:
 * the index of words lists all hits before it gives one. Then up to `few` hits are read, counted and sorted together, if
 * that takes less than `fewMs`. Of more, the page is read from the index of the order for `orderedMs`, then from all
 * hits. Hits are counted up to `counted`, until `countMs` after the start.
 */
export const countingLimits = {
  filters: { frequentMs: null, few: 3_000, fewMs: 85, orderedMs: 100 },
  search: { frequentMs: 25, few: 10_000, fewMs: 100, orderedMs: 60 },
  counted: listCountMax,
  countMs: 3_000,
};

/** For staff, who see the page first. Their dashboard asks `countLeads` for a total that takes longer. */
export const firstPageLimits = { ...countingLimits, countMs: 100 };

interface Tries {
  frequentMs: number | null;
  few: number;
  fewMs: number;
  orderedMs: number;
}
type Limits = Pick<typeof countingLimits, 'counted' | 'countMs'> & Record<'filters' | 'search', Tries>;

const tooLong = { tooLong: 'This search takes too long. Add a word or a filter.' };

interface LeadPage {
  /** Of the page, and of the first lead after it if there is one. */
  ids: number[];
  /** Null: not counted. */
  total: number | null;
  /** There are at least `total`. */
  totalIsEstimate: boolean;
}

/**
 * One page of leads and their total, from one snapshot. The total is exact up to `limits.counted`, unless counting
 * takes too long; then it is a minimum. A page after a cursor and a page of changes have none. Throws
 * SERVICE_UNAVAILABLE after ten seconds.
 */
export function listLeads(
  db: Database,
  input: ListInput,
  limits: Limits = countingLimits,
): Promise<ListOutput> {
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
    tooLong,
  );
}

/** The total of `listLeads`, without a page; a minimum of 0 if counting takes too long. */
export function countLeads(
  db: Database,
  filter: LeadFilter & Pick<ListInput, 'upTo'>,
  { countMs, counted: max } = countingLimits,
): Promise<Pick<ListOutput, 'total' | 'totalIsEstimate'>> {
  const conditions = listConditions(leadListInput.parse(filter));
  return readWithTimeout(
    db,
    async (tx) => {
      const counted = await giveUpAfter(tx, countMs, (inner) => countUpTo(inner, conditions, max));
      return { total: Math.min(counted ?? 0, max), totalIsEstimate: counted === null || counted > max };
    },
    tooLong,
  );
}

/** The ids of the leads that a filter matches, ascending, at most `max`. */
export async function listMatchingIds(
  db: Database,
  filter: LeadFilter & Pick<ListInput, 'upTo'>,
  max: number,
): Promise<number[]> {
  const conditions = listConditions(leadListInput.parse(filter));
  const found = await readWithTimeout(
    db,
    (tx) => tx.select({ id: leads.id }).from(leads).where(conditions).limit(max),
    tooLong,
  );
  return found.map(({ id }) => id).toSorted((a, b) => a - b);
}

/** Null if the order isn't by a time: a cursor is part of a URL, which must not contain a name or a ZIP. */
function cursorAfter(input: ListInput, page: readonly AdminLead[]): string | null {
  const [last, order] = [page.at(-1), getCursorOrder(input)];
  if (last === undefined || order === null) return null;
  const time = input.updated_since === undefined ? last.created_at : last.updated_at;
  return `${order}${Date.parse(time)}-${last.id}`;
}

/** The page and one more lead, which says whether there is a next page. */
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

/** The page and its total, found in the order that `countingLimits` describes. */
async function find(tx: Queryable, input: ListInput, limits: Limits): Promise<LeadPage> {
  const startedAt = performance.now();
  const conditions = listConditions(input);
  const tries = isSearch(input.search) ? limits.search : limits.filters;
  // A page after a cursor has no total.
  if (input.cursor !== undefined) {
    const ids = await findInOrder(tx, input, { conditions, ms: tries.orderedMs });
    return { ids, total: null, totalIsEstimate: false };
  }
  const frequent =
    tries.frequentMs === null
      ? null
      : await giveUpAfter(tx, tries.frequentMs, (inner) => followOrder(inner, input, conditions));
  const few =
    frequent === null
      ? await giveUpAfter(tx, tries.fewMs, (inner) => findFew(inner, input, { conditions, max: tries.few }))
      : null;
  if (few !== null && few.hits <= tries.few) return { ids: few.ids, total: few.hits, totalIsEstimate: false };
  const ids = frequent ?? (await findInOrder(tx, input, { conditions, ms: tries.orderedMs }));
  const { limit, offset } = buildPage(input);
  // With the lead after the page, so that staff can turn to the next one.
  const seen = ids.length === 0 ? 0 : offset + ids.length;
  const isLastPage = ids.length < limit && (seen > 0 || offset === 0);
  if (isLastPage) return { ids, total: seen, totalIsEstimate: false };
  const leftMs = Math.floor(limits.countMs - (performance.now() - startedAt));
  const counted =
    leftMs > 0
      ? await giveUpAfter(tx, leftMs, (inner) => countUpTo(inner, conditions, limits.counted))
      : null;
  if (counted !== null && counted <= limits.counted) return { ids, total: counted, totalIsEstimate: false };
  const least = counted === null ? (few === null ? 0 : tries.few) : limits.counted;
  return { ids, total: Math.max(least, seen), totalIsEstimate: true };
}

function listConditions(input: ListInput): SQL {
  const { key, descending } = leadOrder(input.sort);
  const listed = leadConditions(input);
  const conditions = input.upTo === undefined ? listed : sql`${listed} and ${leads.id} <= ${input.upTo}`;
  return input.cursor === undefined
    ? conditions
    : sql`${conditions} and ${isAfter(input.cursor, key, descending)}`;
}

function isSearch(search: string | undefined): boolean {
  return searchTerms(search ?? '').length > 0;
}

/** The number of hits, `max + 1` if there are more than `max`, and the page if there aren't. */
async function findFew(
  tx: Queryable,
  input: ListInput,
  { conditions, max }: { conditions: SQL; max: number },
): Promise<z.output<typeof fewRow>> {
  const { key, orderBy } = leadOrder(input.sort);
  const { limit, offset } = buildPage(input);
  const order = orderBy(sql`found.key`, sql`found.id`);
  const hit = sql`select ${leads.id} as id, ${key} as key from ${leads}`;
  // Words are looked up in the leads themselves. The index of a filter finds the leads, which are read if they are few.
  const found = isSearch(input.search)
    ? sql`found as materialized (${hit} where ${conditions} limit ${max + 1}),
      counted as (select count(*)::int as hits from found)`
    : sql`ids as materialized (select ${leads.id} as id from ${leads} where ${conditions} limit ${max + 1}),
      counted as (select count(*)::int as hits from ids),
      found as materialized (${hit} where (select hits from counted) <= ${max} and ${leads.id} in (select id from ids))`;
  return readRow(tx, fewRow)`
    with ${found},
    page as (select id, row_number() over (order by ${order}) as place from found order by ${order} limit ${limit} offset ${offset})
    select hits, coalesce((select json_agg(id order by place) from page), '[]'::json) as ids from counted`;
}

const fewRow = z.object({ hits: z.number(), ids: z.array(z.number()) });

/** The page from the index of the order, which takes long only if hits are rare. */
async function followOrder(db: Queryable, input: ListInput, conditions: SQL): Promise<number[]> {
  const { key, orderBy } = leadOrder(input.sort);
  const { limit, offset } = buildPage(input);
  const rows = await inIndexOrder(db, (ordered) =>
    ordered
      .select({ id: leads.id })
      .from(leads)
      .where(conditions)
      .orderBy(orderBy(key, sql`${leads.id}`))
      .limit(limit)
      .offset(offset),
  );
  return rows.map(({ id }) => id);
}

/**
 * The page from the index of the order; if that takes long, all hits are read and sorted. If that takes long too, they
 * are many, and the index has a page of them after all.
 */
async function findInOrder(
  tx: Queryable,
  input: ListInput,
  { conditions, ms }: { conditions: SQL; ms: number },
): Promise<number[]> {
  return (
    (await giveUpAfter(tx, ms, (inner) => followOrder(inner, input, conditions))) ??
    (await giveUpAfter(tx, allHitsMs, (inner) => sortAll(inner, input, conditions))) ??
    (await followOrder(tx, input, conditions))
  );
}

async function sortAll(db: Queryable, input: ListInput, conditions: SQL): Promise<number[]> {
  const { key, orderBy } = leadOrder(input.sort);
  const { limit, offset } = buildPage(input);
  // Without `materialized`, the planner may expect many hits and follow the index of the order.
  const rows = await readRows(db, idRow)`
    with found as materialized (select ${leads.id} as id, ${key} as key from ${leads} where ${conditions})
    select id from found order by ${orderBy(sql`found.key`, sql`found.id`)} limit ${limit} offset ${offset}`;
  return rows.map(({ id }) => id);
}

const allHitsMs = 1_500;

const idRow = z.object({ id: bigintColumn });

/** `max + 1` if there are more than `max`. */
async function countUpTo(tx: Queryable, conditions: SQL, max: number): Promise<number> {
  const { total } = await readRow(tx, countedRow)`
    select count(*)::int as total from (select 1 from ${leads} where ${conditions} limit ${max + 1}) as counted`;
  return total;
}

const countedRow = z.object({ total: z.number() });

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

/** Counts each group in one snapshot, up to `worklistCountMax` + 1. Throws SERVICE_UNAVAILABLE after ten seconds. */
export function countWorklist(
  db: Database,
  { followUpBy }: z.output<typeof worklistInput> = {},
): Promise<WorklistCounts> {
  return readWithTimeout(
    db,
    async (tx) => ({
      clinic: await countGroup(tx, worklistFilters.clinic),
      crm: await countGroup(tx, worklistFilters.crm),
      unmatched: await countGroup(tx, worklistFilters.unmatched),
      overdue: await countGroup(tx, worklistFilters.overdue),
      overLimit: await countGroup(tx, worklistFilters.overLimit),
      quarantined: await countGroup(tx, worklistFilters.quarantined),
      returned: await countGroup(tx, worklistFilters.returned),
      phone: await countGroup(tx, worklistFilters.phone),
      mailbox: await countGroup(tx, worklistFilters.mailbox),
      replies: await countGroup(tx, worklistFilters.replies),
      followUp: followUpBy === undefined ? 0 : await countGroup(tx, { followUpBy, quarantined: false }),
    }),
    { tooLong: 'Counting the leads that need attention takes too long. Try again in a minute.' },
  );
}
