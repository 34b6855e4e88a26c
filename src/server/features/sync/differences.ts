import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type SyncRunRow, syncRunRowsMax } from '#shared/admin/sync.ts';
import { runMessages, skipMessages, warningMessages } from './messages.ts';
import { syncedColumns, syncedFields } from '#shared/providers/providerFieldLists.ts';
import type { Queryable } from '#server/db/connect.ts';
import { bigintColumn, readRow, readRows } from '#server/db/readRows.ts';
import { syncedDbColumn } from '#server/db/providerFields.ts';
import { requestRematch } from '../leads/changes/rematch.ts';
import {
  type ChangeAuthor,
  type ProviderChange,
  recordProviderChanges,
  providerChanged,
  providerEventTypes,
  inactive,
  providerChangeAction,
} from '../providers/providerChanges.ts';
import { writeProviders } from '../providers/writeProviders.ts';
import { isEventWanted, recordEvents } from '../webhooks/recordEvents.ts';
import { completeRows, listWaiting } from './completeRows.ts';
import type { StagedProviders } from './stagedProviders.ts';
import { RunRefused } from './source.ts';

interface EmptiedField {
  field: string;
  count: number;
}

/** Numbers of providers that a run changes, and totals. */
export interface Differences {
  created: number;
  updated: number;
  deactivated: number;
  unchanged: number;
  /** Rows whose domain stays with another provider, and rows that wait for staff. */
  warned: number;
  /** The first thousand of them, with the reason. */
  warnings: SyncRunRow[];
  /** Fields of which values are lost, with how many. */
  emptied: EmptiedField[];
  /** Active synced providers before the run. */
  active: number;
  /** Those of them with a domain, and those that would lose it and stay active. */
  withDomain: number;
  losingDomain: number;
}

const listColumns = (table: string) =>
  sql.raw(syncedColumns.map((column) => `${table}.${column}`).join(', '));

const changedFields = sql.raw(
  `concat_ws(', ', ${syncedColumns
    .map(
      (column) =>
        `case when p.${column} is distinct from i.${column} then '${syncedFields[column].label}' end`,
    )
    .join(', ')})`,
);

/** Whether a provider that is not staged is gone: last written before a complete crawl. Null: none is. */
const isGone = (absentBefore: string | null) =>
  sql`coalesce(p.updated_at < ${absentBefore}::timestamptz, false)`;

/**
 * Finds what the staged providers change and writes it to `sync_changes`, which the transaction drops: providers with a
 * changed column and, after a complete crawl, active unstaged ones last written before it. Changes nothing else but the
 * staged rows. Skips staged rows that lack what a new provider needs.
 */
export async function findDifferences(
  db: Queryable,
  { staged, absentBefore }: { staged: StagedProviders; absentBefore: string | null },
): Promise<Differences> {
  await db.execute(sql`set local work_mem = '64MB'`);
  staged.skipIncomplete(await completeRows(db));
  await db.execute(sql`
    create temporary table sync_changes on commit drop as
    select i.wordpress_id, p.id, p.status as old_status, p.location as old_location, true as has_row, true as is_staged, i.name, i.domain, i.status, null::text as taken_by, null::bigint as taken_by_number,
      case when p.id is null then 'created' when p.status = 't' and i.status = 'f' then 'deactivated' else 'updated' end as change,
      case when p.id is not null then ${changedFields} end as detail
    from sync_incoming i left join providers p on p.wordpress_id = i.wordpress_id
    where i.state = 'row' and (p.id is null or row(${listColumns('p')}) is distinct from row(${listColumns('i')}))
    union all
    select p.wordpress_id, p.id, p.status, p.location, false, i.wordpress_id is not null, p.name, null, null, null, null, 'deactivated', null
    from providers p left join sync_incoming i on i.wordpress_id = p.wordpress_id
    where p.status = 't' and p.wordpress_id is not null and (i.state = 'gone' or (i.wordpress_id is null and ${isGone(absentBefore)}))`);
  await db.execute(sql`create index on sync_changes (id)`);
  await db.execute(sql`analyze sync_changes (wordpress_id, id, domain)`);
  await markDomainConflicts(db);
  const conflicts = await listConflicts(db);
  await leaveDomains(db);
  const waiting = await listWaiting(db);
  const warnings = [...conflicts, ...waiting].slice(0, syncRunRowsMax);
  return {
    ...(await countDifferences(db, staged.read - staged.skipped)),
    emptied: await countEmptied(db),
    warned: conflicts.length + waiting.length,
    warnings,
  };
}

const counts = z.object({
  created: z.number(),
  updated: z.number(),
  deactivated: z.number(),
  touched: z.number(),
  active: z.number(),
  withDomain: z.number(),
  losingDomain: z.number(),
});

async function countDifferences(
  db: Queryable,
  staged: number,
): Promise<Omit<Differences, 'warned' | 'warnings' | 'emptied'>> {
  const { touched, ...found } = await readRow(db, counts)`
    select count(*) filter (where change = 'created')::int as created,
      count(*) filter (where change = 'updated')::int as updated,
      count(*) filter (where change = 'deactivated')::int as deactivated,
      count(*) filter (where is_staged)::int as touched,
      (select count(*) from providers where status = 't' and wordpress_id is not null)::int as active,
      (select count(*) from providers where status = 't' and wordpress_id is not null and domain is not null)::int as "withDomain",
      (select count(*) from sync_changes c join providers p on p.id = c.id
        where c.has_row and c.status = 't' and c.domain is null and p.status = 't' and p.domain is not null)::int as "losingDomain"
    from sync_changes`;
  return { ...found, unchanged: staged - touched };
}

const emptiable = syncedColumns.filter((column) => !syncedDbColumn(column).notNull);
const emptiedCounts = sql.raw(
  emptiable
    .map(
      (column) => `count(*) filter (where p.${column}::text <> '' and i.${column} is null)::int as ${column}`,
    )
    .join(', '),
);

/** The fields of which the changes remove a value without another one in its place. */
async function countEmptied(db: Queryable): Promise<EmptiedField[]> {
  const emptied = await readRow(db, z.record(z.string(), z.number()))`
    select ${emptiedCounts} from sync_changes c join providers p on p.id = c.id
      join sync_incoming i on i.wordpress_id = c.wordpress_id
    where c.has_row`;
  return emptiable.flatMap((column) => {
    const count = emptied[column] ?? 0;
    return count === 0 ? [] : [{ field: syncedFields[column].label, count }];
  });
}

const conflict = z.object({
  wordpressId: bigintColumn,
  name: z.string(),
  domain: z.string(),
  takenBy: z.string(),
  number: bigintColumn.nullable(),
});

/** Rows without their domain, because another provider has it, with its name. */
async function listConflicts(db: Queryable): Promise<SyncRunRow[]> {
  const rows = await readRows(db, conflict)`
    select wordpress_id as "wordpressId", name, domain, taken_by as "takenBy", taken_by_number as number from sync_changes
    where taken_by is not null order by wordpress_id`;
  return rows.map(({ wordpressId, name, domain, takenBy, number }) => ({
    change: 'warned' as const,
    wordpressId,
    name,
    detail: warningMessages.dropped(skipMessages.domainTaken(domain, takenBy, number)),
  }));
}

/** A provider whose domain stays with another keeps its own, or has none, and gets the other columns. */
async function leaveDomains(db: Queryable): Promise<void> {
  await db.execute(sql`
    update sync_incoming i set domain = case when p.status = 't' then p.domain end
    from sync_changes c left join providers p on p.id = c.id
    where c.taken_by is not null and i.wordpress_id = c.wordpress_id`);
  await db.execute(sql`
    delete from sync_changes c using sync_incoming i, providers p
    where c.taken_by is not null and i.wordpress_id = c.wordpress_id and p.id = c.id
      and row(${listColumns('p')}) is not distinct from row(${listColumns('i')})`);
  await db.execute(sql`
    update sync_changes c set taken_by = null, domain = i.domain,
      detail = case when c.id is not null then (select ${changedFields} from providers p where p.id = c.id) end
    from sync_incoming i where c.taken_by is not null and i.wordpress_id = c.wordpress_id`);
}

/** The changed providers, `limit` at most: deactivated ones first, then created ones. */
export function listChanges(db: Queryable, limit: number): Promise<SyncRunRow[]> {
  const row = z.object({
    change: z.enum(['created', 'updated', 'deactivated']),
    wordpressId: bigintColumn,
    name: z.string(),
    detail: z.string().nullable(),
  });
  return readRows(db, row)`
    select change, wordpress_id as "wordpressId", name, detail from sync_changes
    order by array_position(array['deactivated', 'created', 'updated'], change), wordpress_id limit ${limit}`;
}

/** Writes the changes that `findDifferences` found, records them and their events, and requests a rematch. */
export async function applyDifferences(db: Queryable, author: ChangeAuthor): Promise<void> {
  const changes = await listProviderChanges(db);
  await writeProviders(db);
  await recordProviderChanges(db, author, changes);
  await recordProviderEvents(db);
  if (await openProviders(db)) await requestRematch(db);
}

const routing = z.object({
  email: z.string(),
  domain: z.string().nullable(),
  status: z.enum(['t', 'f']),
});
const providerChange = z.object({ id: bigintColumn, before: routing, after: routing });

/** The providers whose email, domain or status will change, with the values before and after. */
function listProviderChanges(db: Queryable): Promise<ProviderChange[]> {
  return readRows(db, providerChange)`
    select p.id, json_build_object('email', p.email, 'domain', p.domain, 'status', p.status) as before,
      case when c.has_row then json_build_object('email', i.email, 'domain', i.domain, 'status', i.status)
        else json_build_object('email', p.email, 'domain', p.domain, 'status', 'f') end as after
    from sync_changes c join providers p on p.id = c.id left join sync_incoming i on i.wordpress_id = c.wordpress_id
    where not c.has_row or row(p.email, p.domain, p.status) is distinct from row(i.email, i.domain, i.status)
    order by p.id`;
}

/** One event for each provider that the run created, changed or deactivated. */
async function recordProviderEvents(db: Queryable): Promise<void> {
  if (!(await isEventWanted(db, providerEventTypes))) return;
  const row = z.object({ id: bigintColumn, wordpressId: bigintColumn, change: z.string() });
  const rows = await readRows(db, row)`
    select p.id, p.wordpress_id as "wordpressId", c.change from sync_changes c join providers p on p.wordpress_id = c.wordpress_id order by p.id`;
  await recordEvents(
    db,
    rows.map(({ id, wordpressId, change }) =>
      providerChanged({ id, wordpressId }, { isDeactivated: change === 'deactivated' }),
    ),
  );
}

/** Whether the run added or moved a provider that can be matched now. Pause and radius are staff's. */
async function openProviders(db: Queryable): Promise<boolean> {
  const { opened } = await readRow(db, z.object({ opened: z.boolean() }))`
    select exists (
      select from sync_changes c join providers p on p.wordpress_id = c.wordpress_id
      where p.status = 't' and not p.paused and p.location is not null
        and (c.change = 'created' or c.old_status <> 't' or c.old_location is distinct from p.location)) as opened`;
  return opened;
}

/** A provider that keeps its domain may block another, which blocks a third. Only a hostile feed has longer chains. */
const roundsMax = 50;

const wantsDomain = sql`c.has_row and c.taken_by is null and c.status = 't' and c.domain is not null`;

/**
 * Marks changes (`sync_changes`) whose domain stays with another provider: an active one that no change takes it from,
 * or, of several changes, the lowest number. A marked provider stays unchanged with its domain, which may block others:
 * hence the rounds. Throws RunRefused if the rounds do not end.
 */
async function markDomainConflicts(db: Queryable): Promise<void> {
  for (let round = 0; round < roundsMax; round += 1) {
    const kept = await db.execute(sql`
      update sync_changes c set taken_by = p.name, taken_by_number = p.wordpress_id
      from providers p
      where ${wantsDomain} and p.status = 't' and p.domain = c.domain and p.id is distinct from c.id
        and not exists (select from sync_changes o where o.id = p.id and o.taken_by is null
          and (o.change = 'deactivated' or o.domain is distinct from p.domain))`);
    const shared = await db.execute(sql`
      with wanted as (select c.domain, min(c.wordpress_id) as first from sync_changes c where ${wantsDomain} group by 1 having count(*) > 1)
      update sync_changes c set taken_by = winner.name, taken_by_number = winner.wordpress_id
      from wanted join sync_changes winner on winner.wordpress_id = wanted.first
      where ${wantsDomain} and c.domain = wanted.domain and c.wordpress_id <> wanted.first`);
    if (kept.count + shared.count === 0) return;
  }
  throw new RunRefused(runMessages.endlessConflicts);
}

/** Throws RunRefused if more than `limitPercent` of the active synced providers would be lost. */
export function guardAgainstLoss(gone: number, active: number, limitPercent: number): void {
  if (gone * 100 > active * limitPercent)
    throw new RunRefused(runMessages.tooManyGone(gone, active, limitPercent));
}

/** Throws RunRefused if more than `limitPercent` of the active synced domains would go: the feed lacks the field. */
export function guardAgainstLostDomains(losing: number, having: number, limitPercent: number): void {
  if (losing * 100 > having * limitPercent)
    throw new RunRefused(runMessages.tooManyDomains(losing, having, limitPercent));
}

/**
 * The same for a push. A script sends its providers in many requests, so what pushes of the last hour took away counts
 * with it, unless it came back. A single provider may always be deactivated, or lose its domain, however few there are.
 */
export async function guardPush(
  tx: Queryable,
  { deactivated, active, losingDomain, withDomain }: Differences,
  limitPercent: number,
): Promise<void> {
  if (deactivated === 0 && losingDomain === 0) return;
  const earlier = await countEarlierLosses(tx);
  const gone = deactivated + earlier.deactivated;
  const losing = losingDomain + earlier.domains;
  if (deactivated > 0 && gone > 1) guardAgainstLoss(gone, active + earlier.deactivated, limitPercent);
  if (losingDomain > 0 && losing > 1)
    guardAgainstLostDomains(losing, withDomain + earlier.domains, limitPercent);
}

/** What pushes of the last hour took away and is still gone, apart from what this push changes (`sync_changes`). */
function countEarlierLosses(tx: Queryable): Promise<{ deactivated: number; domains: number }> {
  return readRow(tx, z.object({ deactivated: z.number(), domains: z.number() }))`
    with changed as materialized (
      select subject_id::bigint as id, detail -> 'status' ->> 'to' = ${inactive} as is_end,
        detail ? 'domain' and detail -> 'domain' ->> 'to' is null as loses_domain
      from audit_log where action = ${providerChangeAction} and at > now() - interval '1 hour' and detail ->> 'source' = 'api'
    )
    select count(distinct p.id) filter (where is_end and p.status = 'f')::int as deactivated,
      count(distinct p.id) filter (where loses_domain and p.status = 't' and p.domain is null)::int as domains
    from changed join providers p on p.id = changed.id
    where p.wordpress_id is not null and not exists (select from sync_changes c where c.id = p.id)`;
}
