import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { deliveryChannels } from '#shared/admin/deliveries.ts';
import type { DeliveryHealth, InsightsRange } from '#shared/admin/insights.ts';
import type { Database } from '../../db/connect.ts';
import { readWithTimeout } from '#server/db/readWithTimeout.ts';
import { daysOf, tooLong } from './daysOf.ts';

const channelDay = z.object({
  day: z.string(),
  /** Null where nothing was tried that day. */
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

/**
 * Tries by day and, of the whole range, by channel: each channel, tried or not. Of whatever lead, deleted ones too: a try was made. Read from
 * `delivery_attempts_at_idx` alone. Throws SERVICE_UNAVAILABLE after ten seconds.
 */
export async function deliveryHealth(db: Database, range: InsightsRange): Promise<DeliveryHealth> {
  const found = await readWithTimeout(
    db,
    (tx) =>
      tx.execute(sql`
        select days.day, tried.channel, coalesce(tried.delivered, 0)::int as delivered, coalesce(tried.failed, 0)::int as failed
        from ${daysOf(range)} left join lateral (
          select channel, count(*) filter (where outcome = 'delivered') as delivered, count(*) filter (where outcome = 'failed') as failed
          from delivery_attempts where at >= days.since and at < days.until group by channel
        ) as tried on true order by days.day`),
    { tooLong },
  );
  const rows = z.array(channelDay).parse(found);
  return {
    days: [...Map.groupBy(rows, ({ day }) => day)].map(([day, ofDay]) => ({ day, ...sumOf(ofDay) })),
    channels: deliveryChannels.map((channel) => ({
      channel,
      ...sumOf(rows.filter((row) => row.channel === channel)),
    })),
  };
}
