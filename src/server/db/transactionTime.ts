import { sql } from 'drizzle-orm';
import type { Queryable } from './connect.ts';

/** The database's time when the transaction began; outside of one, now. To a millisecond. */
export async function readTransactionTime(tx: Queryable): Promise<Date> {
  const [clock] = await tx.execute<{ now: string }>(sql`select now()::text as now`);
  if (clock === undefined) throw new Error('the database gave no time');
  return new Date(clock.now);
}
