import { type SQL, sql } from 'drizzle-orm';
import { leadChannels } from '#shared/admin/deliveries.ts';
import { rematchDaysMax } from '#shared/leads/leadOutcomes.ts';
import type { Queryable } from '#server/db/connect.ts';
import type { Channels } from './types.ts';

/** At a time, so that a backlog of months is no one statement. */
const batchSize = 1_000;
const dayMs = 86_400_000;

/** Why email that was held isn't sent any more. */
const staleReason = `It waited for more than ${rematchDaysMax} days, too long to be of use.`;

/**
 * Email about a lead that was never attempted and is so old that nobody expects it. Announcements of a withdrawal or an erasure and CRM deliveries
 * are never stale.
 */
function isStale(now: Date): SQL {
  const before = new Date(now.getTime() - rematchDaysMax * dayMs).toISOString();
  return sql`(channel <> 'crm' and template = 'lead' and attempts = 0 and created_at < ${before}::timestamptz)`;
}

async function cancelStale(db: Queryable, now: Date): Promise<void> {
  await db.execute(sql`
    update deliveries set state = 'cancelled', reason = ${staleReason}, finished_at = ${now.toISOString()}::timestamptz
    where id in (
      select id from deliveries where state = 'held' and ${isStale(now)} order by created_at limit ${batchSize} for update skip locked)`);
}

/**
 * Queues held deliveries whose channel is ready now, and cancels held email that is stale. Any number of processes may do so at the same time.
 * Returns how many it queued.
 */
export async function releaseHeld(db: Queryable, channels: Channels, now: Date): Promise<number> {
  await cancelStale(db, now);
  const ready = leadChannels.filter((name) => channels[name].heldReason() === null);
  if (ready.length === 0) return 0;
  const released = await db.execute(sql`
    update deliveries set state = 'queued', reason = null, next_attempt_at = ${now.toISOString()}::timestamptz
    where id in (
      select id from deliveries where state = 'held' and channel = any (${sql.param(ready)}::text[]) and not ${isStale(now)}
      order by created_at limit ${batchSize} for update skip locked)
    returning id`);
  return released.length;
}
