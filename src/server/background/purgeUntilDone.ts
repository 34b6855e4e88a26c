import { advisoryLocks, tryAdvisoryLock } from '../db/advisoryLocks.ts';
import type { Database, Queryable } from '../db/connect.ts';
import type { Log } from '../log.ts';

/** How long a run may take. The next run continues. */
const runBudgetMs = 60_000;

export interface Purge {
  /** As in logs and metrics. */
  task: string;
  /** Removes one batch in the caller's transaction. Returns the number of rows; 0: nothing is left to remove. */
  removeBatch: (tx: Queryable) => Promise<number>;
}

interface Run {
  /** No batch starts after its abort. */
  signal: AbortSignal;
  budgetMs?: number;
}

/**
 * Removes batches, each in one transaction, until nothing is left, the signal is aborted or the budget is used; at
 * least one batch if there is time to start it. Of several processes, one at a time runs a task: the others return, and
 * continue in their next run. Logs the number of rows if there were any, also if a batch fails. Returns that number.
 */
export async function purgeUntilDone(
  { db, log }: { db: Database; log: Log },
  { task, removeBatch }: Purge,
  { signal, budgetMs = runBudgetMs }: Run,
): Promise<number> {
  const untilMs = performance.now() + budgetMs;
  let total = 0;
  try {
    while (!signal.aborted) {
      const rows = await db.transaction(async (tx) =>
        (await tryAdvisoryLock(tx, advisoryLocks.purge, task)) ? removeBatch(tx) : 0,
      );
      total += rows;
      if (rows === 0 || performance.now() >= untilMs) break;
    }
  } finally {
    if (total > 0) log.info({ event: 'retention.purged', task, rows: total }, 'old rows were removed');
  }
  return total;
}
