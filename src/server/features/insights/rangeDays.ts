import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { daysInRange, type InsightsRange } from '#shared/admin/insights.ts';
import { dayMs } from '#shared/formats/time.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { readWithTimeout } from '#server/db/readWithTimeout.ts';

/** The start of a day in the range's time zone. */
export const startOf = (day: string, { zone = 'UTC' }: Pick<InsightsRange, 'zone'>): SQL =>
  sql`${day}::timestamp at time zone ${zone}`;

/** The end of a day: the start of the next one. */
export const endOf = (day: string, { zone = 'UTC' }: Pick<InsightsRange, 'zone'>): SQL =>
  sql`(${day}::timestamp + interval '1 day') at time zone ${zone}`;

/** Each day of a range as a row of `days`, with its start and end: an index on the instant finds a day at a time. */
export function rangeDays({ from, to, zone = 'UTC' }: InsightsRange): SQL {
  return sql`(
    select to_char(midnight, 'YYYY-MM-DD') as day, midnight at time zone ${zone} as since, (midnight + interval '1 day') at time zone ${zone} as until
    from generate_series(${from}::timestamp, ${to}::timestamp, interval '1 day') as series (midnight)
  ) as days`;
}

const counts = sql`leads.deleted_at is null and leads.quarantined_at is null`;

/** Whether a lead was created on that day and counts: neither deleted nor quarantined. */
export const cameThatDay = sql`leads.created_at >= days.since and leads.created_at < days.until and ${counts}`;

/** Whether a lead was created on one of the days and counts. */
export const cameIn = (range: InsightsRange): SQL =>
  sql`leads.created_at >= ${startOf(range.from, range)} and leads.created_at < ${endOf(range.to, range)} and ${counts}`;

/**
 * The leads of a day that count, and the range of their ids. Later rows about them are found by one walk of an index on
 * the lead's id: half the work of a probe for each lead, because ids follow the order of creation.
 */
export const leadsOfDay = sql`day_leads as materialized (select id, created_at, provider_id from leads where ${cameThatDay}),
  ids as (select min(id) as first, max(id) as last from day_leads)`;

/** The longest range that is read as a whole: a month takes less than a tenth of a second. */
const daysMax = 31;

/** Reads the days of a long range by two statements at the same time, each on a connection of its own. */
export async function inHalves<T>(
  range: InsightsRange,
  read: (half: InsightsRange) => Promise<T[]>,
): Promise<T[]> {
  const days = daysInRange(range);
  if (days <= daysMax) return read(range);
  const dayAt = (index: number): string =>
    new Date(Date.parse(range.from) + index * dayMs).toISOString().slice(0, 10);
  const middle = Math.floor(days / 2);
  const halves = await Promise.allSettled([
    read({ ...range, to: dayAt(middle - 1) }),
    read({ ...range, from: dayAt(middle) }),
  ]);
  // Both have ended by now, so that none occupies a connection of which `insightReads` doesn't know.
  return halves.flatMap((half) => {
    if (half.status === 'rejected') throw half.reason;
    return half.value;
  });
}

const tooLong = 'These figures took too long to load. Choose a shorter period.';

/** Reads figures from one snapshot. Throws SERVICE_UNAVAILABLE if a statement takes more than ten seconds. */
export function readFigures<T>(db: Database, read: (tx: Queryable) => Promise<T>): Promise<T> {
  return readWithTimeout(db, read, { tooLong });
}

/** The rows of one such statement. */
export function readFigureRows<Row>(db: Database, row: z.ZodType<Row>, query: SQL): Promise<Row[]> {
  return readFigures(db, async (tx) => z.array(row).parse(await tx.execute(query)));
}

/** The sum of a figure over rows. */
export function addUp<Figure extends string>(
  rows: readonly Readonly<Record<Figure, number>>[],
  figure: Figure,
): number {
  return rows.reduce((sum, row) => sum + row[figure], 0);
}
