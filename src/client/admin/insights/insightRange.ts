import {
  insightsRange,
  type InsightFigure,
  type InsightsRange,
  type InsightsSearch,
} from '#shared/admin/insights.ts';
import { dayAfter } from './insightDays.ts';

const usualDays = 30;

/** The last so many days, today among them. */
export function lastDays(count: number, today: string): InsightsRange {
  return { from: dayAfter(today, 1 - count), to: today };
}

/** Twelve months that end today: from the day after today's date a year ago. */
export function lastYear(today: string): InsightsRange {
  const yearAgo = new Date(`${today}T00:00:00Z`);
  const month = yearAgo.getUTCMonth();
  yearAgo.setUTCFullYear(yearAgo.getUTCFullYear() - 1);
  // February 29th's date a year ago is March 1st: there the range begins.
  const isMoved = yearAgo.getUTCMonth() !== month;
  const day = yearAgo.toISOString().slice(0, 10);
  return { from: isMoved ? day : dayAfter(day, 1), to: today };
}

export function usualRange(today: string): InsightsRange {
  return lastDays(usualDays, today);
}

export function isSameRange(a: InsightsRange, b: InsightsRange): boolean {
  return a.from === b.from && a.to === b.to;
}

export interface RequestedRange {
  /** The days in the two inputs. */
  asked: InsightsRange;
  /** Why these days can't be shown. */
  fault: string | null;
}

/** The days that the URL names; without any, the last thirty. */
export function rangeOf({ since, until }: InsightsSearch, today: string): RequestedRange {
  const to = until ?? (since !== undefined && since > today ? since : today);
  const asked = { from: since ?? dayAfter(to, 1 - usualDays), to };
  const checked = insightsRange.safeParse(asked);
  return { asked, fault: checked.success ? null : (checked.error.issues[0]?.message ?? '') };
}

/** The days as the URL keeps them; the default ones are left out. */
export function searchOf(range: InsightsRange, today: string): InsightsSearch {
  return isSameRange(range, usualRange(today)) ? {} : { since: range.from, until: range.to };
}

/** Where a figure's CSV is. */
export function insightsCsvHref(figure: InsightFigure, { from, to }: InsightsRange): string {
  return `/api/insights.csv?${new URLSearchParams({ figure, from, to }).toString()}`;
}
