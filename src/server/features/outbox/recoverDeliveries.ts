import { type SQL, sql } from 'drizzle-orm';
import { deliveryChannels } from '#shared/admin/deliveries.ts';
import { rematchDaysMax } from '#shared/leads/leadOutcomes.ts';
import type { Queryable } from '#server/db/connect.ts';
import type { Channels } from './channel.ts';

/** A delivery this long overdue, which nobody attempts, is looked at for its job: what Postgres interrupted is delivered within a minute. */
const overdueMs = 10_000;
/** In one go, so that a backlog of months is no one statement. */
const batchSize = 1_000;

const dayMs = 86_400_000;

/** Why e-mail that was held isn't sent any more: what staff read beside it. */
export const staleReason = `It waited for more than ${rematchDaysMax} days, too long to be of use.`;

/** E-mail about a lead that was never tried, made so long ago that nobody expects it any more: what was tried, staff asked for again. What tells of a withdrawal or an erasure is never too late, nor is the CRM. */
function isStale(now: Date): SQL {
  const before = new Date(now.getTime() - rematchDaysMax * dayMs).toISOString();
  return sql`(channel <> 'crm' and template = 'lead' and attempts = 0 and created_at < ${before}::timestamptz)`;
}

/** Calls off held e-mail that came too late. */
async function cancelStale(db: Queryable, now: Date): Promise<void> {
  await db.execute(sql`
    update deliveries set state = 'cancelled', reason = ${staleReason}, finished_at = ${now.toISOString()}::timestamptz
    where id in (
      select id from deliveries where state = 'held' and ${isStale(now)} order by created_at limit ${batchSize} for update skip locked)`);
}

/** Queues what was held for want of a configuration that is there now. Returns how many. */
async function releaseHeld(db: Queryable, channels: Channels, now: Date): Promise<number> {
  const ready = deliveryChannels.filter((name) => channels[name].heldReason() === null);
  if (ready.length === 0) return 0;
  const released = await db.execute(sql`
    update deliveries set state = 'queued', reason = null, next_attempt_at = ${now.toISOString()}::timestamptz
    where id in (
      select id from deliveries where state = 'held' and channel = any (${sql.param(ready)}::text[]) and not ${isStale(now)}
      order by created_at limit ${batchSize} for update skip locked)
    returning id`);
  return released.length;
}

/** Wakes what is due and has no job: its job was lost with the process that had just taken it, or somebody removed it by hand. */
async function wakeForgotten(db: Queryable, now: Date): Promise<number> {
  const overdue = new Date(now.getTime() - overdueMs).toISOString();
  const woken = await db.execute(sql`
    update deliveries set next_attempt_at = ${now.toISOString()}::timestamptz
    where id in (
      select d.id from deliveries d
      where d.state = 'queued' and d.next_attempt_at <= ${overdue}::timestamptz and (d.leased_until is null or d.leased_until <= ${overdue}::timestamptz)
        and not exists (select 1 from pgboss.job j where j.name = d.channel and (j.data ->> 'id')::uuid = d.id)
      limit ${batchSize} for update of d skip locked)
    returning id`);
  return woken.length;
}

/** Sees to it that whatever can be delivered is about to be, and that nothing is that was held for too long. Any number of processes may do so at once. Returns how many it queued. */
export async function mendQueue(db: Queryable, channels: Channels, now: Date): Promise<number> {
  await cancelStale(db, now);
  return (await releaseHeld(db, channels, now)) + (await wakeForgotten(db, now));
}
