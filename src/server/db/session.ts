import { sql } from 'drizzle-orm';
import type { Queryable } from './connect.ts';

/**
 * Limits how long each later statement of a transaction waits for a lock, in milliseconds; then it throws SQLSTATE
 * 55P03. It is sent when it is called, so statements that are sent without waiting for it run after it.
 */
export async function setLockTimeout(tx: Queryable, timeoutMs: number): Promise<void> {
  await tx.execute(sql`select set_config('lock_timeout', ${String(timeoutMs)}, true)`);
}

/** The database's time when the transaction began; outside of one, now. To a millisecond. */
export async function readTransactionTime(tx: Queryable): Promise<Date> {
  const [clock] = await tx.execute<{ now: string }>(sql`select now()::text as now`);
  if (clock === undefined) throw new Error('the database gave no time');
  return new Date(clock.now);
}
