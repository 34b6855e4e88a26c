import { sql } from 'drizzle-orm';
import { eventsKeptDays } from '#shared/admin/webhooks.ts';
import type { Queryable } from '#server/db/connect.ts';

const batchSize = 5_000;
const dayMs = 86_400_000;

/**
 * Deletes events older than thirty days with their deliveries and attempts, a batch at a time, in any number of processes. A lead's deliveries are
 * deleted with the lead. Returns how many events it deleted.
 */
export async function purgeDeliveries(db: Queryable, now: Date): Promise<number> {
  const before = new Date(now.getTime() - eventsKeptDays * dayMs).toISOString();
  const purged = await db.execute(sql`
    with old as materialized (
      select id from webhook_events where at < ${before} order by at limit ${batchSize} for update skip locked
    ), sent as (
      delete from deliveries where event_id in (select id from old)
    )
    delete from webhook_events where id in (select id from old) returning id`);
  return purged.length;
}
