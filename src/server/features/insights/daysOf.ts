import { type SQL, sql } from 'drizzle-orm';
import type { InsightsRange } from '#shared/admin/insights.ts';

/**
 * Each day of a range as a row of `days`: its name, and the UTC instants of its start and end. The rows in between are
 * found through an index on the instant, a day at a time, so neither sorting nor memory grow with the range.
 */
export function daysOf({ from, to }: InsightsRange): SQL {
  return sql`(
    select to_char(midnight, 'YYYY-MM-DD') as day, midnight at time zone 'UTC' as since, (midnight + interval '1 day') at time zone 'UTC' as until
    from generate_series(${from}::timestamp, ${to}::timestamp, interval '1 day') as series (midnight)
  ) as days`;
}

/** Whether a lead was created on that day and counts: neither deleted nor quarantined. */
export const cameThatDay = sql`leads.created_at >= days.since and leads.created_at < days.until
  and leads.deleted_at is null and leads.quarantined_at is null`;

/** The message if figures take more than ten seconds. */
export const tooLong = 'These figures took too long to load. Choose a shorter period.';
