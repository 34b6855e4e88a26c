import type { LeadsByDay } from '#shared/admin/insights.ts';
import { insightCopy } from './copy.ts';
import { fullDay } from './insightDays.ts';

export type LeadDay = LeadsByDay['days'][number];

/** The sum of `pick` over all days. */
export function sumOf<Day>(days: readonly Day[], pick: (day: Day) => number): number {
  return days.reduce((sum, day) => sum + pick(day), 0);
}

/** The share of a whole, 0 to 1; null if the whole is 0. */
export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** 'May 1, 2026 – May 30, 2026', from the first to the last day. */
export function spanOf(days: readonly { day: string }[]): string {
  return insightCopy.between(fullDay(days[0]?.day ?? ''), fullDay(days.at(-1)?.day ?? ''));
}

/** Finds the data of a day. */
export function byDay<Day extends { day: string }>(days: readonly Day[]): (day: string) => Day | undefined {
  const found = new Map(days.map((one) => [one.day, one]));
  return (day) => found.get(day);
}

/** The order of the tables. */
export function newestFirst<Day>(days: readonly Day[]): Day[] {
  return days.toReversed();
}
