import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type FirstContacts, type InsightsRange, slowestProvidersMax } from '#shared/admin/insights.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { readWithTimeout } from '#server/db/readWithTimeout.ts';
import { rangeDays, leadsOfDay, tooLong } from './rangeDays.ts';

const waits = { contacted: z.number(), medianMs: z.number().nullable(), p95Ms: z.number().nullable() };
/** A day's or a provider's figures. */
const contactedRow = z.object({
  day: z.string().nullable(),
  id: z.number().nullable(),
  name: z.string().nullable(),
  ...waits,
});

interface Waits {
  contacted: number;
  medianMs: number | null;
  p95Ms: number | null;
}

const msPerSecond = 1000;

function inSeconds({ contacted, medianMs, p95Ms }: Waits) {
  const seconds = (ms: number | null): number | null => (ms === null ? null : ms / msPerSecond);
  return { contacted, medianSeconds: seconds(medianMs), p95Seconds: seconds(p95Ms) };
}

/** Figures of `contacts`: the median (of an even number, the mean of the middle two), and the 95th percentile. */
const figures = sql`count(*)::int as contacted, percentile_cont(0.5) within group (order by ms) as "medianMs",
  percentile_disc(0.95) within group (order by ms) as "p95Ms"`;

/** The leads of a day that a provider reported as reached or booked: the first such provider, and the time it took. */
const contacts = sql`(
  with ${leadsOfDay}
  select first.provider_id, round(date_part('epoch', first.at - day_leads.created_at) * ${msPerSecond}::int) as ms
  from day_leads join (
    select distinct on (lead_id) lead_id, at, provider_id from lead_outcomes
    where outcome in ('reached', 'booked') and lead_id between (select first from ids) and (select last from ids)
    order by lead_id, at
  ) as first on first.lead_id = day_leads.id
) as contacts`;

/** By day and by the slowest providers, from one read of every contact. */
async function readContacts(tx: Queryable, range: InsightsRange): Promise<FirstContacts> {
  const rows = await tx.execute(sql`
    with waits as materialized (
      select days.since, contacts.provider_id, ${figures}
      from ${rangeDays(range)} cross join lateral ${contacts}
      group by grouping sets ((days.since), (contacts.provider_id))
    ), slowest as (
      select * from waits where since is null order by "medianMs" desc, provider_id limit ${slowestProvidersMax}
    )
    select days.day, null::int as id, null as name, coalesce(waits.contacted, 0) as contacted, waits."medianMs", waits."p95Ms"
    from ${rangeDays(range)} left join waits using (since)
    union all
    select null, providers.id::int, providers.name, slowest.contacted, slowest."medianMs", slowest."p95Ms"
    from slowest join providers on providers.id = slowest.provider_id
    order by day, "medianMs" desc, id`);
  const days: FirstContacts['days'] = [];
  const slowest: FirstContacts['slowest'] = [];
  for (const { day, id, name, ...row } of z.array(contactedRow).parse(rows)) {
    if (day !== null) days.push({ day, ...inSeconds(row) });
    else if (id !== null && name !== null) slowest.push({ id, name, ...inSeconds(row) });
  }
  return { days, slowest };
}

/**
 * How long the leads of each day waited until a provider reported that it had reached or booked them, in seconds, and
 * the slowest providers. Throws SERVICE_UNAVAILABLE after ten seconds.
 */
export function firstContacts(db: Database, range: InsightsRange): Promise<FirstContacts> {
  return readWithTimeout(db, (tx) => readContacts(tx, range), { tooLong });
}
