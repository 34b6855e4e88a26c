import { and, count, eq, gt, lte, min, sql } from 'drizzle-orm';
import { dayMs } from '#shared/formats/time.ts';
import type { QueueHealth } from '#shared/admin/adminDeliveries.ts';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries } from '#server/db/schema/index.ts';
import { ceilingReason } from '../mail/recipientLimits.ts';
import { isVisible, type Visibility } from './deliveryList.ts';

/** The workers that run now, also in web processes. Each has one connection with this name until its process ends. */
export function countWorkers(db: Queryable): Promise<number> {
  return db.$count(sql`(
    select distinct application_name, client_addr from pg_stat_activity
    where datname = current_database() and application_name like 'worker of %') as workers`);
}

/** The queue's figures for the visible deliveries, and the number of workers, all from the database. */
export async function readQueueHealth(
  db: Queryable,
  { now, ...visibility }: { now: Date } & Pick<Visibility, 'withWebhooks'>,
): Promise<QueueHealth> {
  const visible = isVisible(visibility);
  const isQueued = and(visible, eq(deliveries.state, 'queued'));
  const isFailed = and(visible, eq(deliveries.state, 'failed'));
  const yesterday = new Date(now.getTime() - dayMs);
  const [due] = await db
    .select({ since: min(deliveries.nextAttemptAt) })
    .from(deliveries)
    .where(and(isQueued, lte(deliveries.nextAttemptAt, now)));
  const since = due?.since ?? null;
  const held = await db
    .select({ channel: deliveries.channel, reason: deliveries.reason, count: count() })
    .from(deliveries)
    .where(and(visible, eq(deliveries.state, 'held')))
    .groupBy(deliveries.channel, deliveries.reason)
    .orderBy(deliveries.channel, deliveries.reason);
  return {
    queued: await db.$count(deliveries, isQueued),
    oldestDueSeconds: since === null ? null : (now.getTime() - since.getTime()) / 1000,
    failedIn24Hours: await db.$count(deliveries, and(isFailed, gt(deliveries.finishedAt, yesterday))),
    overHourlyLimit: await db.$count(deliveries, and(isQueued, eq(deliveries.reason, ceilingReason))),
    held: held.map(({ reason, ...row }) => ({ ...row, reason: reason ?? '' })),
    workers: await countWorkers(db),
  };
}
