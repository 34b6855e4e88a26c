import { sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';

const batchSize = 5_000;

/**
 * Deletes a batch of the attempts that ended before a time, oldest first. Keeps those of deliveries that are queued or
 * held, and of others the newest attempt, unless the message was delivered: it says why the delivery failed or was
 * cancelled. Any number of processes may call it. Returns how many it deleted.
 */
export async function purgeAttempts(db: Queryable, before: Date): Promise<number> {
  const { count } = await db.execute(sql`
    delete from delivery_attempts where (at, id) in (
      select old.at, old.id from delivery_attempts old join deliveries on deliveries.id = old.delivery_id
      where old.at < ${before.toISOString()}::timestamptz and (
        deliveries.state = 'delivered' or deliveries.state in ('failed', 'cancelled') and exists (
          select from delivery_attempts newer where newer.delivery_id = old.delivery_id and newer.id > old.id))
      order by old.at limit ${batchSize})`);
  return count;
}
