import { type SQL, sql } from 'drizzle-orm';
import type { InsightsRange } from '#shared/admin/insights.ts';

/**
 * Each day of a range as a row of `days`: its name, and the instants in UTC it begins with and ends before. What lies between the two is found
 * through an index on the instant, a day at a time: neither sorting nor memory grow with the range.
 */
export function daysOf({ from, to }: InsightsRange): SQL {
  return sql`(
    select to_char(midnight, 'YYYY-MM-DD') as day, midnight at time zone 'UTC' as since, (midnight + interval '1 day') at time zone 'UTC' as until
    from generate_series(${from}::timestamp, ${to}::timestamp, interval '1 day') as series (midnight)
  ) as days`;
}

/** That a lead came on that day and counts: neither deleted nor quarantined. */
export const cameThatDay = sql`leads.created_at >= days.since and leads.created_at < days.until
  and leads.deleted_at is null and leads.quarantined_at is null`;

/** What is said when figures take more than ten seconds. */
export const tooLong = 'These figures take too long. Choose fewer days.';
