import { z } from 'zod';
import pLimit from 'p-limit';
import { type PushResult, pushRowsMax, type SyncRunRow } from '#shared/admin/sync.ts';
import { hourMs } from '#shared/formats/time.ts';
import type { Queryable } from '#server/db/connect.ts';
import { bigintColumn, readRows, setLockTimeout } from '#server/db/readRows.ts';
import { AppError, unavailable } from '#server/errors.ts';
import { syncRuns } from '#server/db/schema/index.ts';
import {
  applyDifferences,
  type Differences,
  findDifferences,
  listChanges,
  guardPush,
} from './differences.ts';
import { fillFromCache } from './geocodeMissing.ts';
import { insertRun, insertRunRows, wasStatusFieldUsed, takeReconcileLock } from './runRecords.ts';
import { runMessages } from './messages.ts';
import { RunRefused } from './source.ts';
import { buildContext, type RunAuthor, type SyncServices, toAuthor, toCounts } from './runSync.ts';
import { reportProviders } from './reportProviders.ts';
import { createStagingTable, type RecordResult, StagedProviders } from './stagedProviders.ts';

/** Consecutive pushes of one script within this time are one run in the history. */
const sameRunMs = hourMs;
/** How long a push waits for other pushes, and for a run that writes, before its script must retry. */
const usualWaitMs = 20_000;

/** Without a queue, pushes would wait for each other in transactions and use up the connections. */
const oneAtATime = pLimit(1);

/** Runs work after earlier work of this process. Throws SERVICE_UNAVAILABLE without running it after `waitMs`. */
function inTurn<T>(waitMs: number, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let isGivenUp = false;
    const timer = setTimeout(() => {
      isGivenUp = true;
      reject(unavailable());
    }, waitMs);
    void oneAtATime(async () => {
      clearTimeout(timer);
      if (!isGivenUp) await work().then(resolve, reject);
    });
  });
}

interface PushOrder {
  /** Who sent it, for staff. */
  startedBy: string;
  /** The same for the audit log. By default, the name is that of a command. */
  author?: RunAuthor;
  /** Ignores the guards. */
  force?: boolean;
  waitMs?: number;
}

/**
 * Stores single providers that a script sends and returns the result of each, in order. Rows are complete: what a row
 * lacks is emptied. Other providers stay unchanged. All or nothing: one transaction, one at a time in each process,
 * waiting while a run writes. Throws SERVICE_UNAVAILABLE after waiting too long, and CONFLICT if a guard stops it, which
 * is recorded as a refused run.
 */
export function pushProviders(
  services: SyncServices,
  records: readonly unknown[],
  { waitMs = usualWaitMs, ...order }: PushOrder,
): Promise<PushResult[]> {
  return inTurn(waitMs, async () => {
    try {
      return await push(services, records, { ...order, waitMs });
    } catch (error) {
      if (!(error instanceof RunRefused)) throw error;
      const message = runMessages.pushRefused(error.message);
      await recordRefusedPush(services, { startedBy: order.startedBy, read: records.length, message });
      throw new AppError('CONFLICT', message, { cause: error });
    }
  });
}

function push(
  services: SyncServices,
  records: readonly unknown[],
  { startedBy, author, force = false, waitMs }: PushOrder & { waitMs: number },
): Promise<PushResult[]> {
  return services.db.transaction(async (tx) => {
    await setLockTimeout(tx, waitMs);
    await createStagingTable(tx, 'transaction');
    const staged = new StagedProviders(tx, buildContext(services, { base: null }), {
      isFieldUsed: await wasStatusFieldUsed(tx, { source: 'api', startedBy }),
    });
    const results = await staged.add({ records, media: new Map() });
    await staged.flush();
    await staged.decideStatuses();
    await fillFromCache(tx);
    await takeReconcileLock(tx);
    const differences = await findDifferences(tx, { staged, absentBefore: null });
    if (!force) await guardPush(tx, differences, services.config.syncDeactivationLimit);
    const changes = await listChanges(tx, pushRowsMax);
    await applyDifferences(tx, toAuthor({ startedBy, author }, 'api', services.now()));
    await reportProviders(tx, services.now());
    const rows = [...staged.skippedRows, ...staged.warnedRows, ...differences.warnings, ...changes];
    await recordPush(tx, services, { startedBy, force, staged, differences, rows });
    return toResults(results, { changes, warnings: differences.warnings, ids: await idsOfStaged(tx) });
  });
}

interface Pushed {
  changes: readonly SyncRunRow[];
  /** Beside those of the records. */
  warnings: readonly SyncRunRow[];
  ids: ReadonlyMap<number, number>;
}

function toResults(results: readonly RecordResult[], { changes, warnings, ids }: Pushed): PushResult[] {
  const changed = new Map(changes.map(({ wordpressId, change }) => [wordpressId, change]));
  return results.map(({ wordpressId, reason, warnings: own }) => {
    if (reason !== null) return { wordpress_id: wordpressId, result: 'skipped', id: null, reason };
    const change = changed.get(wordpressId);
    const result = change === 'created' ? 'created' : change === undefined ? 'unchanged' : 'updated';
    const others = warnings
      .filter((row) => row.wordpressId === wordpressId)
      .map(({ detail }) => detail ?? '');
    return {
      wordpress_id: wordpressId,
      result,
      id: ids.get(wordpressId ?? 0) ?? null,
      reason: null,
      ...(own.length + others.length > 0 && { warnings: [...own, ...others] }),
    };
  });
}

/** The providers' ids by their WordPress ids. */
async function idsOfStaged(db: Queryable): Promise<Map<number, number>> {
  const rows = await readRows(db, z.object({ wordpressId: bigintColumn, id: bigintColumn }))`
    select p.wordpress_id as "wordpressId", p.id from providers p join sync_incoming i on i.wordpress_id = p.wordpress_id`;
  return new Map(rows.map(({ wordpressId, id }) => [wordpressId, id]));
}

interface Push {
  startedBy: string;
  force: boolean;
  staged: StagedProviders;
  differences: Differences;
  rows: SyncRunRow[];
}

/** Adds a push to the script's run, or starts one: for staff, a hundred requests are one line. */
async function recordPush(
  tx: Queryable,
  { now }: SyncServices,
  { startedBy, force, staged, differences, rows }: Push,
): Promise<void> {
  const counts = toCounts(staged, differences);
  const { read, created, updated, unchanged, deactivated, skipped, warned } = counts;
  const { isFieldUsed } = staged;
  const [same] = await readRows(tx, z.object({ id: bigintColumn }))`
    update ${syncRuns} set finished_at = ${now().toISOString()}, read = read + ${read}, created = created + ${created},
      updated = updated + ${updated}, unchanged = unchanged + ${unchanged}, deactivated = deactivated + ${deactivated},
      skipped = skipped + ${skipped}, warned = warned + ${warned}, status_field_used = status_field_used or ${isFieldUsed},
      forced = forced or ${force}
    where id = (select max(id) from ${syncRuns} where source = 'api' and outcome = 'done' and started_by = ${startedBy})
      and finished_at > ${new Date(now().getTime() - sameRunMs).toISOString()}
    returning id`;
  const ended = {
    ...{ startedBy, startedAt: now(), finishedAt: now(), outcome: 'done' as const, forced: force },
    ...{ ...counts, statusFieldUsed: isFieldUsed },
  };
  const { id } = same ?? (await insertRun(tx, { source: 'api', kind: 'rows', ...ended }));
  await insertRunRows(tx, id, rows);
}

/** Staff see that a push was stopped, and why. */
async function recordRefusedPush(
  { db, now }: SyncServices,
  { startedBy, read, message }: { startedBy: string; read: number; message: string },
): Promise<void> {
  const ended = { startedAt: now(), finishedAt: now(), outcome: 'refused' as const };
  await insertRun(db, { source: 'api', kind: 'rows', startedBy, read, message, ...ended });
}
