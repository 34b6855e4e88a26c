import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable } from './connect.ts';
import { readRow, timeColumn } from './readRows.ts';

const clock = z.object({ now: timeColumn });

/**
 * Limits how long each later statement of a transaction waits for a lock, in milliseconds; then it throws SQLSTATE
 * 55P03. It is sent when it is called, so statements that are sent without waiting for it run after it.
 */
export async function setLockTimeout(tx: Queryable, timeoutMs: number): Promise<void> {
  await tx.execute(sql`select set_config('lock_timeout', ${String(timeoutMs)}, true)`);
}

/** The database's time when the transaction began; outside of one, now. To a millisecond. */
export async function readTransactionTime(tx: Queryable): Promise<Date> {
  return (await readRow(tx, clock)`select now()::text as now`).now;
}
