import { z } from 'zod';
import { minuteMs } from './time.ts';

/** A day to search from or to, in UTC by default: after anything began, and with a next day in four digits. */
export const day = z.iso
  .date()
  .refine((given) => given >= '2000-01-01' && given <= '9999-12-30', 'Use a day from 2000 to 9999');

const earliestMs = Date.UTC(1999, 11, 31);
const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** An instant in UTC, such as `2026-05-31T08:00:00Z`, that Postgres can compare with stored ones. */
export function instant(message?: string): z.ZodISODateTime {
  return z.iso
    .datetime(message)
    .refine(
      (given) => Date.parse(given) >= earliestMs && Date.parse(given) <= latestMs,
      'Use a time from 2000 to 9999',
    );
}

/** The filter of a list by time: days in UTC, or instants for days in another time zone. */
export const timeFilter = {
  from: day.optional().meta({ description: 'The first day, in UTC' }),
  to: day.optional().meta({ description: 'The last day, in UTC' }),
  createdFrom: instant().optional().meta({ description: 'An instant to start from, instead of `from`' }),
  createdBefore: instant()
    .optional()
    .meta({ description: 'The instant before which to end, instead of `to`' }),
};
export type TimeFilter = z.output<z.ZodObject<typeof timeFilter>>;

/** The start of a day in the viewer's time zone, or of a later one. */
function startOfDay(date: string, daysLater = 0): string {
  const start = new Date(`${date}T00:00:00`);
  start.setDate(start.getDate() + daysLater);
  return start.toISOString();
}

/** A search with days of the viewer's time zone, both included, as a search between two instants. */
export function withInstants<Search extends { from?: string | undefined; to?: string | undefined }>({
  from,
  to,
  ...search
}: Search) {
  return {
    ...search,
    ...(from === undefined ? {} : { createdFrom: startOfDay(from) }),
    ...(to === undefined ? {} : { createdBefore: startOfDay(to, 1) }),
  };
}

/** The day of an instant in the viewer's time zone: `2026-05-31`. */
export function toDay(instantMs: number): string {
  const minutesBehind = new Date(instantMs).getTimezoneOffset();
  return new Date(instantMs - minutesBehind * minuteMs).toISOString().slice(0, 10);
}
