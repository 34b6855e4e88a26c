import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type FirstContacts, type InsightsRange, slowestProvidersMax } from '#shared/admin/insights.ts';
import type { Database } from '../../db/connect.ts';
import { rangeDays, leadsOfDay, readFigureRows } from './rangeDays.ts';

const contactedRow = z.object({
  day: z.string().nullable(),
  id: z.number().nullable(),
  name: z.string().nullable(),
  contacted: z.number(),
  medianSeconds: z.number().nullable(),
  p95Seconds: z.number().nullable(),
});

/** Figures of `contacts`: the median (of an even number, the mean of the middle two), and the 95th percentile. */
const figures = sql`count(*)::int as contacted, percentile_cont(0.5) within group (order by ms) / 1000 as "medianSeconds",
  percentile_disc(0.95) within group (order by ms) / 1000 as "p95Seconds"`;

/** The leads of a day that a provider reported as reached or booked: the first such provider, and the time it took. */
const contacts = sql`(
  with ${leadsOfDay}
  select first.provider_id, round(date_part('epoch', first.at - day_leads.created_at) * 1000) as ms
  from day_leads join (
    select distinct on (lead_id) lead_id, at, provider_id from lead_outcomes
    where outcome in ('reached', 'booked') and lead_id between (select first from ids) and (select last from ids)
    order by lead_id, at
  ) as first on first.lead_id = day_leads.id
) as contacts`;

/**
 * How long the leads of each day waited until a provider reported that it had reached or booked them, in seconds, and
 * the slowest providers, from one read of every contact. Throws SERVICE_UNAVAILABLE after ten seconds.
 */
export async function firstContacts(db: Database, range: InsightsRange): Promise<FirstContacts> {
  const query = sql`
    with waits as materialized (
      select days.since, contacts.provider_id, ${figures}
      from ${rangeDays(range)} cross join lateral ${contacts}
      group by grouping sets ((days.since), (contacts.provider_id))
    ), slowest as (
      select * from waits where since is null order by "medianSeconds" desc, provider_id limit ${slowestProvidersMax}
    )
    select days.day, null::int as id, null as name, coalesce(waits.contacted, 0) as contacted, waits."medianSeconds", waits."p95Seconds"
    from ${rangeDays(range)} left join waits using (since)
    union all
    select null, providers.id::int, providers.name, slowest.contacted, slowest."medianSeconds", slowest."p95Seconds"
    from slowest join providers on providers.id = slowest.provider_id
    order by day, "medianSeconds" desc, id`;
  const days: FirstContacts['days'] = [];
  const slowest: FirstContacts['slowest'] = [];
  for (const { day, id, name, ...waits } of await readFigureRows(db, contactedRow, query)) {
    if (day !== null) days.push({ day, ...waits });
    else if (id !== null && name !== null) slowest.push({ id, name, ...waits });
  }
  return { days, slowest };
}
