import { sql } from 'drizzle-orm';
import { AppError } from '../errors.ts';
import type { Database, Queryable } from './connect.ts';

/**
 * How Postgres is to plan: never by reading a whole table, which it takes for cheap when many rows match; with indexes in memory or on flash;
 * without start-up costs longer than the query (compiling it, parallel workers); with room for where half a million rows lie, or it remembers
 * their pages alone and reads each of those from end to end. And it gives up before a person would.
 */
const planning = (timeoutMs: number) =>
  sql`select set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true), set_config('random_page_cost', '1.1', true),
  set_config('max_parallel_workers_per_gather', '0', true), set_config('work_mem', '32MB', true), set_config('statement_timeout', ${String(timeoutMs)}, true)`;

/** SQLSTATE 57014: the statement ran into its time limit. */
function isTimeout(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if ('code' in at && at.code === '57014') return true;
  return false;
}

interface Limit {
  /** The sentence for whoever asked for too much. */
  tooLong: string;
  /** Of each statement. */
  timeoutMs?: number;
}

/**
 * Reads of tables with millions of rows, all of one moment, for somebody who waits. Throws SERVICE_UNAVAILABLE with the sentence given when a
 * statement would take more than ten seconds.
 */
export function readWithTimeout<T>(
  db: Database,
  read: (tx: Queryable) => Promise<T>,
  { tooLong, timeoutMs = 10_000 }: Limit,
): Promise<T> {
  const done = db.transaction(
    async (tx) => {
      await tx.execute(planning(timeoutMs));
      return read(tx);
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
  return done.catch((error: unknown) => {
    if (!isTimeout(error)) throw error;
    throw new AppError('SERVICE_UNAVAILABLE', tooLong, { cause: error, retryAfterSeconds: 5 });
  });
}
