import { sql } from 'drizzle-orm';
import { skipMessages, fieldMessages } from '#server/features/sync/messages.ts';
import type { SyncRunRow } from '#shared/admin/sync.ts';
import type { Queryable } from '../../db/connect.ts';
import { requestRematch } from '../leads/rematch.ts';
import { providerChanged, providerEventTypes } from '../providers/providerEvents.ts';
import { writeProviders } from '../providers/writeProviders.ts';
import { isEventWanted, recordEvents } from '../webhooks/recordEvents.ts';
import { markDomainConflicts } from './domainConflicts.ts';
import { syncedColumns } from '#server/db/syncedColumns.ts';

/** How many clinics a run changes, and of how many. */
export interface Differences {
  created: number;
  updated: number;
  deactivated: number;
  unchanged: number;
  /** Skipped because their domain is another's. */
  conflicts: number;
  /** Active clinics that come from outside, before the run. */
  active: number;
  /** Those of them that have a domain, and those that would have none any more while they stay active. */
  withDomain: number;
  losingDomain: number;
}

const columnsOf = (table: string) => sql.raw(syncedColumns.map((column) => `${table}.${column}`).join(', '));

/** Names of the columns that differ, for people. */
const changedFields = sql.raw(
  `concat_ws(', ', ${syncedColumns
    .map((column) => `case when p.${column} is distinct from i.${column} then '${fieldMessages[column]}' end`)
    .join(', ')})`,
);

/** Whether a clinic that isn't staged is taken for gone: after a complete crawl, if it was last written before that began. Null: none is. */
const isGone = (absentBefore: string | null) =>
  sql`coalesce(p.updated_at < ${absentBefore}::timestamptz, false)`;

/**
 * Finds what the staged clinics change, into `sync_changes` (gone with the transaction): only clinics in which a column differs, and, where the
 * crawl was complete, active ones that aren't staged and were last written before it began. Nothing of the product's is written. `staged` is
 * how many clinics are staged and weren't skipped.
 */
export async function findDifferences(
  db: Queryable,
  { staged, absentBefore }: { staged: number; absentBefore: string | null },
): Promise<Differences> {
  await db.execute(sql`set local work_mem = '64MB'`);
  await db.execute(sql`
    create temporary table sync_changes on commit drop as
    select i.wordpress_id, p.id, p.status as old_status, p.location as old_location, true as has_row, true as is_staged, i.name, i.domain, i.status, null::text as taken_by, null::bigint as taken_by_number,
      case when p.id is null then 'created' when p.status = 't' and i.status = 'f' then 'deactivated' else 'updated' end as change,
      case when p.id is not null then ${changedFields} end as detail
    from sync_incoming i left join providers p on p.wordpress_id = i.wordpress_id
    where i.state = 'row' and (p.id is null or row(${columnsOf('p')}) is distinct from row(${columnsOf('i')}))
    union all
    select p.wordpress_id, p.id, p.status, p.location, false, i.wordpress_id is not null, p.name, null, null, null, null, 'deactivated', null
    from providers p left join sync_incoming i on i.wordpress_id = p.wordpress_id
    where p.status = 't' and p.wordpress_id is not null and (i.state = 'gone' or (i.wordpress_id is null and ${isGone(absentBefore)}))`);
  await db.execute(sql`create index on sync_changes (id)`);
  await db.execute(sql`analyze sync_changes (wordpress_id, id, domain)`);
  await markDomainConflicts(db);
  return countDifferences(db, staged);
}

async function countDifferences(db: Queryable, staged: number): Promise<Differences> {
  const [counts] = await db.execute<{
    created: number;
    updated: number;
    deactivated: number;
    conflicts: number;
    touched: number;
    active: number;
    withDomain: number;
    losingDomain: number;
  }>(sql`
    select count(*) filter (where taken_by is null and change = 'created')::int as created,
      count(*) filter (where taken_by is null and change = 'updated')::int as updated,
      count(*) filter (where taken_by is null and change = 'deactivated')::int as deactivated,
      count(*) filter (where taken_by is not null)::int as conflicts,
      count(*) filter (where is_staged)::int as touched,
      (select count(*) from providers where status = 't' and wordpress_id is not null)::int as active,
      (select count(*) from providers where status = 't' and wordpress_id is not null and domain is not null)::int as "withDomain",
      (select count(*) from sync_changes c join providers p on p.id = c.id
        where c.taken_by is null and c.has_row and c.status = 't' and c.domain is null and p.status = 't' and p.domain is not null)::int as "losingDomain"
    from sync_changes`);
  if (counts === undefined) throw new Error('nothing was counted');
  const { touched, ...found } = counts;
  return { ...found, unchanged: staged - touched };
}

/** Clinics that were skipped because their domain is another's, `limit` at most, with that one's name. */
export async function listConflicts(db: Queryable, limit: number): Promise<SyncRunRow[]> {
  const rows = await db.execute<{
    wordpress_id: string;
    name: string;
    domain: string;
    taken_by: string;
    number: string | null;
  }>(sql`
    select wordpress_id, name, domain, taken_by, taken_by_number as number from sync_changes
    where taken_by is not null order by wordpress_id limit ${limit}`);
  return rows.map(({ wordpress_id, name, domain, taken_by, number }) => ({
    change: 'skipped' as const,
    wordpressId: Number(wordpress_id),
    name,
    detail: skipMessages.domainTaken(domain, taken_by, number === null ? null : Number(number)),
  }));
}

/** What changes, clinic by clinic, `limit` at most: those turned inactive first, then new ones. */
export async function listChanges(db: Queryable, limit: number): Promise<SyncRunRow[]> {
  const rows = await db.execute<{
    change: 'created' | 'updated' | 'deactivated';
    wordpress_id: string;
    name: string;
    detail: string | null;
  }>(sql`
    select change, wordpress_id, name, detail from sync_changes where taken_by is null
    order by array_position(array['deactivated', 'created', 'updated'], change), wordpress_id limit ${limit}`);
  return rows.map(({ change, wordpress_id, name, detail }) => ({
    change,
    wordpressId: Number(wordpress_id),
    name,
    detail,
  }));
}

/** Writes the changes that `findDifferences` found, records the events and requests a rematch. Skips domain conflicts. */
export async function applyDifferences(db: Queryable): Promise<void> {
  await db.execute(sql`delete from sync_changes where taken_by is not null`);
  await writeProviders(db);
  await recordProviderEvents(db);
  if (await openProviders(db)) await requestRematch(db);
}

/** One event for each provider that the run created, changed or deactivated. */
async function recordProviderEvents(db: Queryable): Promise<void> {
  if (!(await isEventWanted(db, providerEventTypes))) return;
  const rows = await db.execute<{ id: string; wordpress_id: string; change: string }>(sql`
    select p.id, p.wordpress_id, c.change from sync_changes c join providers p on p.wordpress_id = c.wordpress_id order by p.id`);
  await recordEvents(
    db,
    rows.map(({ id, wordpress_id, change }) =>
      providerChanged(
        { id: Number(id), wordpressId: Number(wordpress_id) },
        { isDeactivated: change === 'deactivated' },
      ),
    ),
  );
}

/** Whether the run opened a provider, or moved one, that can be matched now. Pause and radius are staff's. */
async function openProviders(db: Queryable): Promise<boolean> {
  const [row] = await db.execute<{ opened: boolean }>(sql`
    select exists (
      select from sync_changes c join providers p on p.wordpress_id = c.wordpress_id
      where p.status = 't' and not p.paused and p.location is not null
        and (c.change = 'created' or c.old_status <> 't' or c.old_location is distinct from p.location)) as opened`);
  return row?.opened === true;
}
