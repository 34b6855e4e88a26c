import { sql } from 'drizzle-orm';
import { eventsKeptDays } from '#shared/admin/webhooks.ts';
import type { Queryable } from '#server/db/connect.ts';

const purgedAtOnce = 5_000;
const dayMs = 86_400_000;

/** Deletes events of more than thirty days ago with their messages and tries, a batch at a time, in any number of processes. Returns how many. */
export async function purgeEvents(db: Queryable, now: Date): Promise<number> {
  const before = new Date(now.getTime() - eventsKeptDays * dayMs).toISOString();
  const purged = await db.execute(sql`
    with old as materialized (
      select id from webhook_events where at < ${before} order by at limit ${purgedAtOnce} for update skip locked
    ), messages as (
      delete from webhook_messages where event_id in (select id from old)
    )
    delete from webhook_events where id in (select id from old) returning id`);
  return purged.length;
}
