import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type FirstContacts, type InsightsRange, slowestClinicsMax } from '#shared/insights.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { readInTime } from '../../db/readInTime.ts';
import { cameThatDay, daysOf, tooLong } from './daysOf.ts';

const waits = { contacted: z.number(), medianMs: z.number().nullable(), p95Ms: z.number().nullable() };
const contactedDay = z.object({ day: z.string(), ...waits });
const contactedClinic = z.object({ id: z.number(), name: z.string(), ...waits });

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

/** Of `contacts`: the median (of an even number the mean of the middle two), and what 95 of 100 stayed within. */
const figures = sql`count(*)::int as contacted, percentile_cont(0.5) within group (order by ms) as "medianMs",
  percentile_disc(0.95) within group (order by ms) as "p95Ms"`;

/** Leads of a day whose clinic has told of reaching their author: which clinic it was that did first, and how long that took. */
const contacts = sql`(
  select first.provider_id, round((date_part('epoch', first.at) - date_part('epoch', leads.created_at)) * ${msPerSecond}::int) as ms
  from leads cross join lateral (
    select at, provider_id from lead_outcomes where lead_id = leads.id and outcome in ('reached', 'booked') order by at limit 1
  ) as first where ${cameThatDay}
) as contacts`;

async function byDay(tx: Queryable, range: InsightsRange): Promise<FirstContacts['days']> {
  const rows = await tx.execute(sql`
    select days.day, waits.* from ${daysOf(range)} cross join lateral (select ${figures} from ${contacts}) as waits order by days.day`);
  return z
    .array(contactedDay)
    .parse(rows)
    .map(({ day, ...row }) => ({ day, ...inSeconds(row) }));
}

/** A day at a time here too: without `offset` Postgres would join all days and leads before it looked at an outcome. */
async function slowest(tx: Queryable, range: InsightsRange): Promise<FirstContacts['slowest']> {
  const rows = await tx.execute(sql`
    select clinics.provider_id::int as id, providers.name, clinics.contacted, clinics."medianMs", clinics."p95Ms" from (
      select provider_id, ${figures} from ${daysOf(range)} cross join lateral (select * from ${contacts} offset 0) as contacts group by provider_id
      order by "medianMs" desc, provider_id limit ${slowestClinicsMax}
    ) as clinics join providers on providers.id = clinics.provider_id order by clinics."medianMs" desc, id`);
  return z
    .array(contactedClinic)
    .parse(rows)
    .map(({ id, name, ...row }) => ({ id, name, ...inSeconds(row) }));
}

/**
 * How long leads of each day waited until a clinic told that it had reached or booked them, in seconds, and the clinics that took longest. Throws
 * SERVICE_UNAVAILABLE when a part of it takes more than ten seconds.
 */
export function firstContacts(db: Database, range: InsightsRange): Promise<FirstContacts> {
  return readInTime(db, async (tx) => ({ days: await byDay(tx, range), slowest: await slowest(tx, range) }), {
    tooLong,
  });
}
