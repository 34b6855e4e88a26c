import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { FirstDeliveries, InsightsRange } from '#shared/admin/insights.ts';
import type { Database } from '../../db/connect.ts';
import { readWithTimeout } from '#server/db/readWithTimeout.ts';
import { daysOf, inHalves, leadsOfDay, tooLong } from './daysOf.ts';

const deliveredDay = z.object({
  day: z.string(),
  delivered: z.number(),
  medianMs: z.number().nullable(),
  p95Ms: z.number().nullable(),
});

const msPerSecond = 1000;

function seconds(ms: number | null): number | null {
  return ms === null ? null : ms / msPerSecond;
}

const deliveredDays = (range: InsightsRange): SQL => sql`
  select days.day, waits.* from ${daysOf(range)} cross join lateral (
    with ${leadsOfDay}
    select count(*)::int as delivered, percentile_cont(0.5) within group (order by ms) as "medianMs",
      percentile_disc(0.95) within group (order by ms) as "p95Ms"
    from (
      select round(date_part('epoch', first.at - day_leads.created_at) * ${msPerSecond}::int) as ms
      from day_leads join (
        select distinct on (lead_id) lead_id, at from delivery_attempts
        where outcome = 'delivered' and lead_id between (select first from ids) and (select last from ids)
        order by lead_id, at
      ) as first on first.lead_id = day_leads.id
    ) as leads_delivered
  ) as waits order by days.day`;

/**
 * How long the leads of each day waited for their first delivery, in seconds: the median (of an even number, the mean
 * of the middle two) and the 95th percentile. Throws SERVICE_UNAVAILABLE after ten seconds.
 */
export async function firstDeliveries(db: Database, range: InsightsRange): Promise<FirstDeliveries> {
  const days = await inHalves(range, async (half) =>
    z
      .array(deliveredDay)
      .parse(await readWithTimeout(db, (tx) => tx.execute(deliveredDays(half)), { tooLong })),
  );
  return {
    days: days.map(({ day, delivered, medianMs, p95Ms }) => ({
      day,
      delivered,
      medianSeconds: seconds(medianMs),
      p95Seconds: seconds(p95Ms),
    })),
  };
}
