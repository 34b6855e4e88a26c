import { insightsRange, type InsightFigure, type InsightsRange } from '#shared/admin/insights.ts';
import { dayAfter } from './insightDays.ts';

const usualDays = 30;
/** Not `from` and `to`: those are the leads' filter, and stay while another tab is open. */
const keys = { from: 'since', to: 'until' } as const;

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

export interface AddressedRange {
  /** What the two inputs hold. */
  asked: InsightsRange;
  /** Why that can't be looked at. */
  fault: string | null;
}

function dayIn(params: URLSearchParams, key: string): string | null {
  const text = params.get(key);
  return text !== null && insightsRange.shape.from.safeParse(text).success ? text : null;
}

/** The days that the address asks for; where it says nothing it can mean, the last thirty. */
export function readRange(params: URLSearchParams, today: string): AddressedRange {
  const [since, until] = [dayIn(params, keys.from), dayIn(params, keys.to)];
  const to = until ?? (since !== null && since > today ? since : today);
  const asked = { from: since ?? dayAfter(to, 1 - usualDays), to };
  const checked = insightsRange.safeParse(asked);
  return { asked, fault: checked.success ? null : (checked.error.issues[0]?.message ?? '') };
}

/** The address's query with these days in it; the usual ones are left out, and what else stands there stays. */
export function writeRange(params: URLSearchParams, range: InsightsRange, today: string): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete(keys.from);
  next.delete(keys.to);
  if (isSameRange(range, usualRange(today))) return next;
  next.set(keys.from, range.from);
  next.set(keys.to, range.to);
  return next;
}

/** Where a figure's CSV is. */
export function insightsCsvHref(figure: InsightFigure, { from, to }: InsightsRange): string {
  return `/api/insights.csv?${new URLSearchParams({ figure, from, to }).toString()}`;
}
