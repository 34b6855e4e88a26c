import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type FirstDeliveries, type InsightsRange, percentileLeadsMin } from '#shared/admin/insights.ts';
import type { Database } from '../../db/connect.ts';
import { cameIn, rangeDays, inHalves, leadsOfDay, readFigureRows, startOf } from './rangeDays.ts';

const deliveredDay = z.object({
  day: z.string(),
  delivered: z.number(),
  medianSeconds: z.number().nullable(),
  p95Seconds: z.number().nullable(),
});

/** Leads that got their provider, or were released, later by staff or a rematch: they waited for a decision. */
const decidedLater = (range: InsightsRange): SQL => sql`decided_later as materialized (
  select distinct subject_id::bigint as lead_id from audit_log
  where subject_kind = 'lead' and at >= ${startOf(range.from, range)}
    and ((action in ('lead.assign', 'lead.rematch') and detail -> 'before' ->> 'providerId' is null)
      or (action = 'lead.release' and actor_kind in ('staff', 'token'))))`;

/** Of rows with a lead's id, `created_at` and `provider_id`. */
const isMatchedOnArrival = (rows: string): SQL =>
  sql`${sql.identifier(rows)}.provider_id is not null and not exists (select from decided_later where lead_id = ${sql.identifier(rows)}.id)`;

const waitMs = (created: SQL): SQL => sql`round(date_part('epoch', first.at - ${created}) * 1000) as ms`;

const deliveredDays = (range: InsightsRange): SQL => sql`
  with ${decidedLater(range)}
  select days.day, waits.* from ${rangeDays(range)} cross join lateral (
    with ${leadsOfDay}
    select count(*)::int as delivered, percentile_cont(0.5) within group (order by ms) / 1000 as "medianSeconds",
      case when count(*) >= ${percentileLeadsMin}::int then percentile_disc(0.95) within group (order by ms) / 1000 end as "p95Seconds"
    from (
      select ${waitMs(sql`day_leads.created_at`)}
      from day_leads join (
        select distinct on (lead_id) lead_id, at from delivery_attempts
        where outcome = 'delivered' and lead_id between (select first from ids) and (select last from ids)
        order by lead_id, at
      ) as first on first.lead_id = day_leads.id
      where ${isMatchedOnArrival('day_leads')}
    ) as leads_delivered
  ) as waits order by days.day`;

const medianOfAll = (range: InsightsRange): SQL => sql`
  with ${decidedLater(range)},
  came as materialized (select id, created_at, provider_id from leads where ${cameIn(range)}),
  ids as (select min(id) as first, max(id) as last from came)
  select percentile_cont(0.5) within group (order by ms) / 1000 as "medianSeconds" from (
    select ${waitMs(sql`came.created_at`)}
    from came join (
      select distinct on (lead_id) lead_id, at from delivery_attempts
      where outcome = 'delivered' and lead_id between (select first from ids) and (select last from ids)
      order by lead_id, at
    ) as first on first.lead_id = came.id
    where ${isMatchedOnArrival('came')}
  ) as waits`;

const medianRow = z.object({ medianSeconds: z.number().nullable() });

/**
 * How long the leads of each day waited for their first delivery, in seconds: the median (of an even number, the mean
 * of the middle two) and the 95th percentile, and the median of all days. Throws SERVICE_UNAVAILABLE after ten seconds.
 */
export async function firstDeliveries(db: Database, range: InsightsRange): Promise<FirstDeliveries> {
  const days = await inHalves(range, (half) => readFigureRows(db, deliveredDay, deliveredDays(half)));
  // After that: an insight occupies at most two connections.
  const [all] = await readFigureRows(db, medianRow, medianOfAll(range));
  return { medianSeconds: all?.medianSeconds ?? null, days };
}
