import { sql } from 'drizzle-orm';
import { type FirstContacts, firstContacts as output, type InsightsRange } from '#shared/admin/insights.ts';
import type { Database } from '../../db/connect.ts';
import { rangeDays, leadsOfDay, readFigureRows } from './rangeDays.ts';

/** The leads of a day that a provider reported as reached or booked, and the time until the first report. */
const contacts = sql`(
  with ${leadsOfDay}
  select round(date_part('epoch', first.at - day_leads.created_at) * 1000) as ms
  from day_leads join (
    select distinct on (lead_id) lead_id, at from lead_outcomes
    where outcome in ('reached', 'booked') and lead_id between (select first from ids) and (select last from ids)
    order by lead_id, at
  ) as first on first.lead_id = day_leads.id
) as contacts`;

/**
 * How long the leads of each day waited until a provider reported that it had reached or booked them, in seconds: the
 * median (of an even number, the mean of the middle two) and the 95th percentile. Throws SERVICE_UNAVAILABLE after ten
 * seconds.
 */
export async function firstContacts(db: Database, range: InsightsRange): Promise<FirstContacts> {
  const query = sql`
    select days.day, waits.* from ${rangeDays(range)} cross join lateral (
      select count(*)::int as contacted, percentile_cont(0.5) within group (order by ms) / 1000 as "medianSeconds",
        percentile_disc(0.95) within group (order by ms) / 1000 as "p95Seconds"
      from ${contacts}
    ) as waits order by days.day`;
  return { days: await readFigureRows(db, output.shape.days.element, query) };
}
