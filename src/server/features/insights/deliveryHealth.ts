import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { leadChannels } from '#shared/admin/deliveries.ts';
import type { DeliveryHealth, InsightsRange } from '#shared/admin/insights.ts';
import type { Database } from '../../db/connect.ts';
import { readWithTimeout } from '#server/db/readWithTimeout.ts';
import { daysOf, inHalves, tooLong } from './daysOf.ts';

const channelDay = z.object({
  day: z.string(),
  /** Null for a day without attempts. */
  channel: z.string().nullable(),
  delivered: z.number(),
  failed: z.number(),
});

function sumOf(rows: readonly z.infer<typeof channelDay>[]): { delivered: number; failed: number } {
  return {
    delivered: rows.reduce((sum, row) => sum + row.delivered, 0),
    failed: rows.reduce((sum, row) => sum + row.failed, 0),
  };
}

const attemptsByDay = (range: InsightsRange): SQL => sql`
  select days.day, counts.channel, coalesce(counts.delivered, 0)::int as delivered, coalesce(counts.failed, 0)::int as failed
  from ${daysOf(range)} left join lateral (
    select channel, count(*) filter (where outcome = 'delivered') as delivered, count(*) filter (where outcome = 'failed') as failed
    from delivery_attempts where at >= days.since and at < days.until and channel <> 'webhook' group by channel
  ) as counts on true order by days.day`;

/**
 * Attempts to deliver leads by day, and by channel for the whole range: every channel of leads, with or without
 * attempts. Attempts of deleted leads count; webhooks do not. Read from `delivery_attempts_at_idx` only. Throws
 * SERVICE_UNAVAILABLE after ten seconds.
 */
export async function deliveryHealth(db: Database, range: InsightsRange): Promise<DeliveryHealth> {
  const rows = await inHalves(range, async (half) =>
    z
      .array(channelDay)
      .parse(await readWithTimeout(db, (tx) => tx.execute(attemptsByDay(half)), { tooLong })),
  );
  return {
    days: [...Map.groupBy(rows, ({ day }) => day)].map(([day, ofDay]) => ({ day, ...sumOf(ofDay) })),
    channels: leadChannels.map((channel) => ({
      channel,
      ...sumOf(rows.filter((row) => row.channel === channel)),
    })),
  };
}
