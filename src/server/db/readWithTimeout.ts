import { sql } from 'drizzle-orm';
import { AppError, hasCode } from '../errors.ts';
import type { Database, Queryable } from './connect.ts';

/**
 * Planner settings: no sequential scans, which Postgres considers cheap when many rows match; costs for indexes in
 * memory or on flash; no JIT compilation or parallel workers, whose startup costs more than the query; and enough
 * memory for the positions of half a million rows, because with less Postgres remembers only their pages and reads each
 * one completely. Also a timeout.
 */
const planning = (timeoutMs: number) =>
  sql`select set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true), set_config('random_page_cost', '1.1', true),
  set_config('max_parallel_workers_per_gather', '0', true), set_config('work_mem', '32MB', true), set_config('statement_timeout', ${String(timeoutMs)}, true)`;

/** SQLSTATE 57014: the statement exceeded its timeout. */
const timeoutCodes = new Set(['57014']);

const defaultTimeoutMs = 10_000;

const setTimeoutMs = (timeoutMs: number) =>
  sql`select set_config('statement_timeout', ${String(timeoutMs)}, true)`;

/** Runs part of a `readWithTimeout` with a shorter limit per statement. Null if exceeded; the transaction continues. */
export async function giveUpAfter<T>(
  tx: Queryable,
  timeoutMs: number,
  read: (inner: Queryable) => Promise<T>,
): Promise<T | null> {
  try {
    return await tx.transaction(async (inner) => {
      await inner.execute(setTimeoutMs(timeoutMs));
      const result = await read(inner);
      await inner.execute(setTimeoutMs(defaultTimeoutMs));
      return result;
    });
  } catch (error) {
    if (!hasCode(error, timeoutCodes)) throw error;
    return null;
  }
}

const sorting = (value: 'on' | 'off') =>
  sql`select set_config('enable_sort', ${value}, true), set_config('enable_bitmapscan', ${value}, true)`;

/**
 * Runs part of a `readWithTimeout` with plans that follow an index's order instead of reading all hits and sorting them.
 */
export async function inIndexOrder<T>(tx: Queryable, read: (inner: Queryable) => Promise<T>): Promise<T> {
  await tx.execute(sorting('off'));
  const result = await read(tx);
  await tx.execute(sorting('on'));
  return result;
}

interface Limit {
  /** The message for a request that takes too long. */
  tooLong: string;
  timeoutMs?: number;
}

/** Reads huge tables in one snapshot. Throws SERVICE_UNAVAILABLE (`message`) if a statement exceeds ten seconds. */
export function readWithTimeout<T>(
  db: Database,
  read: (tx: Queryable) => Promise<T>,
  { tooLong, timeoutMs = defaultTimeoutMs }: Limit,
): Promise<T> {
  const done = db.transaction(
    async (tx) => {
      await tx.execute(planning(timeoutMs));
      return read(tx);
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
  return done.catch((error: unknown) => {
    if (!hasCode(error, timeoutCodes)) throw error;
    throw new AppError('SERVICE_UNAVAILABLE', tooLong, { cause: error, retryAfterSeconds: 5 });
  });
}
