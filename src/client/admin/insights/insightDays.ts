import type { LeadsByDay } from '#shared/admin/insights.ts';
import { insightCopy } from './copy.ts';

const dayMs = 86_400_000;
const locale = 'en-US';
const short = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const full = new Intl.DateTimeFormat(locale, {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** The UTC day of a time: `2026-05-31`. */
function utcDay(instantMs: number): string {
  return new Date(instantMs).toISOString().slice(0, 10);
}

/** The day `count` days later; earlier if negative. */
export function dayAfter(day: string, count: number): string {
  return utcDay(Date.parse(day) + count * dayMs);
}

/** 'May 3' */
export function shortDay(day: string): string {
  return short.format(Date.parse(day));
}

/** 'May 3, 2026' */
export function fullDay(day: string): string {
  return full.format(Date.parse(day));
}

export type LeadDay = LeadsByDay['days'][number];

export function addUp<Day>(days: readonly Day[], pick: (day: Day) => number): number {
  return days.reduce((sum, day) => sum + pick(day), 0);
}

/** The share of a whole, 0 to 1; null if the whole is 0. */
export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** 'May 1, 2026 – May 30, 2026', from the first to the last day. */
export function toSpan(days: readonly { day: string }[]): string {
  return insightCopy.between(fullDay(days[0]?.day ?? ''), fullDay(days.at(-1)?.day ?? ''));
}

export function byDay<Day extends { day: string }>(days: readonly Day[]): (day: string) => Day | undefined {
  const found = new Map(days.map((one) => [one.day, one]));
  return (day) => found.get(day);
}
