import type { LeadsByDay } from '#shared/admin/insights.ts';
import { insightCopy } from './copy.ts';
import { fullDay } from './insightDays.ts';

export type LeadDay = LeadsByDay['days'][number];

/** Of all days, what `pick` takes from each. */
export function sumOf<Day>(days: readonly Day[], pick: (day: Day) => number): number {
  return days.reduce((sum, day) => sum + pick(day), 0);
}

/** The share of a whole, 0 to 1; null of nothing. */
export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** 'May 1, 2026 – May 30, 2026', of the days that are shown. */
export function spanOf(days: readonly { day: string }[]): string {
  return insightCopy.between(fullDay(days[0]?.day ?? ''), fullDay(days.at(-1)?.day ?? ''));
}

/** To find what belongs to a day that is pointed at. */
export function byDay<Day extends { day: string }>(days: readonly Day[]): (day: string) => Day | undefined {
  const found = new Map(days.map((one) => [one.day, one]));
  return (day) => found.get(day);
}

/** For a table: the newest first. */
export function newestFirst<Day>(days: readonly Day[]): Day[] {
  return days.toReversed();
}
