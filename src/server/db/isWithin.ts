import { and, gte, lt, type Column, type SQL } from 'drizzle-orm';
import type { TimeFilter } from '#shared/formats/day.ts';
import { dayMs } from '#shared/formats/time.ts';

/** Whether a time is within a filter's days and instants; undefined without any. */
export function isWithin(
  column: Column,
  { from, to, createdFrom, createdBefore }: TimeFilter,
): SQL | undefined {
  return and(
    from === undefined ? undefined : gte(column, new Date(from)),
    to === undefined ? undefined : lt(column, new Date(Date.parse(to) + dayMs)),
    createdFrom === undefined ? undefined : gte(column, new Date(createdFrom)),
    createdBefore === undefined ? undefined : lt(column, new Date(createdBefore)),
  );
}
