import { and, asc, desc, eq, inArray, isNotNull, lt, type SQL, sql } from 'drizzle-orm';
import { runMessages } from './messages.ts';
import { type SyncRun, type SyncRunRow, syncRunRowsMax } from '#shared/admin/sync.ts';
import type { Queryable } from '#server/db/connect.ts';
import { type SyncRunInsert, type SyncRunRecord, syncRunRows, syncRuns } from '#server/db/schema/index.ts';
import { recordEvents } from '../webhooks/recordEvents.ts';
import { notFound } from '#server/errors.ts';
import { z } from 'zod';
import { readRow } from '#server/db/readRows.ts';
import { advisoryLocks } from '#server/db/advisoryLocks.ts';

export function toSyncRun(run: SyncRunRecord): SyncRun {
  const { id, source, kind, startedBy, dryRun, forced, startedAt, finishedAt, outcome, message } = run;
  const { read, created, updated, unchanged, deactivated, skipped, warned } = run;
  return {
    ...{ id, source, kind, startedBy, dryRun, forced, outcome, message },
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    ...{ read, created, updated, unchanged, deactivated, skipped, warned },
  };
}

function one(rows: SyncRunRecord[]): SyncRunRecord {
  const [row] = rows;
  if (row === undefined) throw notFound('Sync run');
  return row;
}

/** Inserts a run that starts or has already ended. */
export async function insertRun(db: Queryable, run: SyncRunInsert): Promise<SyncRunRecord> {
  return one(await db.insert(syncRuns).values(run).returning());
}

/** Ends a running run in the caller's transaction. Throws NOT_FOUND. */
export async function endRun(db: Queryable, id: number, end: Partial<SyncRunInsert>): Promise<SyncRunRecord> {
  const run = one(await db.update(syncRuns).set(end).where(eq(syncRuns.id, id)).returning());
  await recordCompletions(db, [run]);
  return run;
}

/** Records an event for each finished run, with any outcome; dry runs change nothing and are left out. */
async function recordCompletions(db: Queryable, runs: readonly SyncRunRecord[]): Promise<void> {
  await recordEvents(
    db,
    runs
      .filter(({ outcome, dryRun }) => outcome !== 'running' && !dryRun)
      .map(({ id, source, kind, outcome, read, created, updated, unchanged, deactivated, skipped }) => ({
        type: 'sync.completed',
        leadId: null,
        providerId: null,
        data: { run_id: id, source, kind, outcome, read, created, updated, unchanged, deactivated, skipped },
      })),
  );
}

/** Inserts the results of single providers, up to a thousand per run in total. */
export async function insertRunRows(
  db: Queryable,
  runId: number,
  rows: readonly SyncRunRow[],
): Promise<void> {
  const kept = await db.$count(syncRunRows, eq(syncRunRows.runId, runId));
  const added = rows.slice(0, Math.max(0, syncRunRowsMax - kept)).map((row) => ({ runId, ...row }));
  if (added.length > 0) await db.insert(syncRunRows).values(added);
}

/** The newest runs first. */
export async function listRuns(db: Queryable, limit: number): Promise<SyncRun[]> {
  return (await db.select().from(syncRuns).orderBy(desc(syncRuns.id)).limit(limit)).map(toSyncRun);
}

/** The newest runs first, and also the newest complete run that was not a dry run, if it is older. */
export async function listRunsWithFull(db: Queryable, limit: number): Promise<SyncRun[]> {
  const runs = await listRuns(db, limit);
  const isFull = and(isFromWordPress, eq(syncRuns.kind, 'full'), eq(syncRuns.dryRun, false));
  const full = await findNewest(db, isFull);
  return full === null || runs.some(({ id }) => id === full.id) ? runs : [...runs, toSyncRun(full)];
}

/** A run and its rows in their order. Throws NOT_FOUND. */
export async function getRunDetail(db: Queryable, id: number): Promise<{ run: SyncRun; rows: SyncRunRow[] }> {
  const run = toSyncRun(one(await db.select().from(syncRuns).where(eq(syncRuns.id, id))));
  const { change, wordpressId, name, detail } = syncRunRows;
  const rows = await db
    .select({ change, wordpressId, name, detail })
    .from(syncRunRows)
    .where(eq(syncRunRows.runId, id))
    .orderBy(asc(syncRunRows.id));
  return { run, rows };
}

/** The newest run that meets a condition. */
async function findNewest(db: Queryable, condition: SQL | undefined): Promise<SyncRunRecord | null> {
  const [run] = await db.select().from(syncRuns).where(condition).orderBy(desc(syncRuns.id)).limit(1);
  return run ?? null;
}

const isDone = and(eq(syncRuns.outcome, 'done'), eq(syncRuns.dryRun, false));
const isFromWordPress = eq(syncRuns.source, 'wordpress');

/** When the newest successful WordPress run of each kind ended; null if there is none. */
export function lastSuccesses(
  db: Queryable,
): Promise<readonly { kind: 'full' | 'incremental'; finishedAt: Date | null }[]> {
  const find = async (kind: 'full' | 'incremental') => {
    const run = await findNewest(db, and(isFromWordPress, eq(syncRuns.kind, kind), isDone));
    return { kind, finishedAt: run?.finishedAt ?? null };
  };
  return Promise.all([find('full'), find('incremental')]);
}

/** The run in progress, if its process is alive; null otherwise. */
export function findRunning(db: Queryable): Promise<SyncRunRecord | null> {
  return findNewest(db, eq(syncRuns.outcome, 'running'));
}

/** Marks runs whose process ended early. Only for the owner of the run lock: nobody else runs then. */
export async function tidyRuns(db: Queryable, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const interrupted = await tx
      .update(syncRuns)
      .set({ outcome: 'interrupted', finishedAt: now, message: runMessages.interrupted })
      .where(eq(syncRuns.outcome, 'running'))
      .returning();
    await recordCompletions(tx, interrupted);
  });
}

const purgedPerBatch = 500;

/**
 * Deletes a batch of the ended runs from before a time, with their rows. Keeps each source and kind's newest success,
 * which staff and metrics see, and the one to continue. Safe in any number of processes. Returns how many.
 */
export async function purgeSyncRuns(db: Queryable, before: Date): Promise<number> {
  const isComplete = sql`outcome = 'done' and not dry_run`;
  const kept = sql`(
    select max(id) from ${syncRuns} where ${isComplete} group by source, kind
    union all
    select max(id) from ${syncRuns} where ${isComplete} and source = 'wordpress' and modified_until is not null having count(*) > 0)`;
  const old = db
    .select({ id: syncRuns.id })
    .from(syncRuns)
    .where(
      and(
        lt(syncRuns.startedAt, before),
        sql`${syncRuns.outcome} <> 'running'`,
        sql`${syncRuns.id} not in ${kept}`,
      ),
    )
    .orderBy(asc(syncRuns.id))
    .limit(purgedPerBatch)
    .for('update', { skipLocked: true });
  return (await db.delete(syncRuns).where(inArray(syncRuns.id, old))).count;
}

/** The time up to which all of WordPress' changes are known; null before the first complete crawl. */
export async function lastModifiedUntil(db: Queryable): Promise<Date | null> {
  const run = await findNewest(db, and(isFromWordPress, isDone, isNotNull(syncRuns.modifiedUntil)));
  return run?.modifiedUntil ?? null;
}

/** Whether the newest successful run with all of a source's rows, or a script's newest push, used a status field. */
export async function wasStatusFieldUsed(
  db: Queryable,
  of: { source: 'wordpress' } | { source: 'api'; startedBy: string },
): Promise<boolean> {
  const isOne = of.source === 'api' ? eq(syncRuns.startedBy, of.startedBy) : eq(syncRuns.kind, 'full');
  const run = await findNewest(db, and(eq(syncRuns.source, of.source), isDone, isOne));
  return run?.statusFieldUsed ?? false;
}

/** Whether this connection got the one sync lock, held until it closes. A lost machine is noticed within 90 seconds. */
export async function tryRunLock(db: Queryable): Promise<boolean> {
  const { locked } = await readRow(db, z.object({ locked: z.boolean() }))`
    select set_config('tcp_keepalives_idle', '60', false), set_config('tcp_keepalives_interval', '10', false),
      set_config('tcp_keepalives_count', '3', false), pg_try_advisory_lock(${advisoryLocks.syncRun}) as locked`;
  return locked;
}

/** Lets the next run start immediately. The server notices a closed connection a little later. */
export async function releaseRunLock(db: Queryable): Promise<void> {
  await db.execute(sql`select pg_advisory_unlock(${advisoryLocks.syncRun})`);
}

/** Waits until nobody else compares and writes providers. Held until the end of the transaction. */
export async function takeReconcileLock(tx: Queryable): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.reconcileProviders})`);
}
