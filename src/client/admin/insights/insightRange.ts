import {
  insightsRange,
  type InsightFigure,
  type InsightsRange,
  type InsightsSearch,
  insightsSearch,
} from '#shared/admin/insights.ts';
import { toDay } from '#shared/formats/day.ts';
import { dayAfter } from './insightDays.ts';
import { useEffect, useMemo, useState } from 'react';
import { useSearchParams } from '#client/admin/kit/useSearchParams.ts';

const defaultDays = 30;

/** The last `count` days, including today. */
export function lastDays(count: number, today: string): InsightsRange {
  return { from: dayAfter(today, 1 - count), to: today };
}

/** The twelve months that end today. They start on the day after this date a year ago. */
export function lastYear(today: string): InsightsRange {
  const yearAgo = new Date(`${today}T00:00:00Z`);
  const month = yearAgo.getUTCMonth();
  yearAgo.setUTCFullYear(yearAgo.getUTCFullYear() - 1);
  // A year before February 29 is March 1: the range starts there.
  const isMoved = yearAgo.getUTCMonth() !== month;
  const day = yearAgo.toISOString().slice(0, 10);
  return { from: isMoved ? day : dayAfter(day, 1), to: today };
}

export function defaultRange(today: string): InsightsRange {
  return lastDays(defaultDays, today);
}

export function isSameRange(a: InsightsRange, b: InsightsRange): boolean {
  return a.from === b.from && a.to === b.to;
}

export interface RequestedRange {
  /** The days in the two fields. */
  requested: InsightsRange;
  /** Why these days are not allowed. */
  error: string | null;
}

/** The days in the URL; the default is the last thirty. */
export function toRange({ since, until }: InsightsSearch, today: string): RequestedRange {
  const to = until ?? (since !== undefined && since > today ? since : today);
  const requested = { from: since ?? dayAfter(to, 1 - defaultDays), to };
  const checked = insightsRange.safeParse(requested);
  return { requested, error: checked.success ? null : (checked.error.issues[0]?.message ?? '') };
}

/** The days for the URL, without the default ones. */
export function buildSearch(range: InsightsRange, today: string): InsightsSearch {
  return isSameRange(range, defaultRange(today)) ? {} : { since: range.from, until: range.to };
}

/** The viewer's time zone; undefined for UTC, and for one that the server wouldn't know. */
function findZone(): string | undefined {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return insightsRange.shape.zone.safeParse(timeZone).success ? timeZone : undefined;
}

/** The link to a figure's file, whose days are those of UTC. */
export function insightsCsvHref(figure: InsightFigure, { from, to }: InsightsRange): string {
  return `/api/insights.csv?${new URLSearchParams({ figure, from, to }).toString()}`;
}

const tickMs = 30_000;

export interface InsightRangeControl extends RequestedRange {
  /** The days on screen: the requested ones, or the last valid ones. */
  range: InsightsRange;
  today: string;
  setRange: (range: InsightsRange) => void;
  hasCharts: boolean;
  showCharts: (hasCharts: boolean) => void;
}

/** The days on screen, in the viewer's time zone, and whether the charts are unfolded, kept in the URL. */
export function useInsightRange(): InsightRangeControl {
  const today = useToday();
  const { values, change } = useSearchParams(insightsSearch);
  const { requested, error } = useMemo(() => toRange(values, today), [values, today]);
  const [range, setRange] = useState(() => (error === null ? requested : defaultRange(today)));
  if (error === null && !isSameRange(range, requested)) setRange(requested);
  return {
    requested,
    error,
    range: useMemo(() => ({ ...range, zone: findZone() }), [range]),
    today,
    setRange: (wanted) => change({ since: undefined, until: undefined, ...buildSearch(wanted, today) }),
    hasCharts: values.charts === true,
    showCharts: (hasCharts) => change({ charts: hasCharts ? true : undefined }),
  };
}

/** The viewer's current day, updated after midnight. */
function useToday(): string {
  const [today, setToday] = useState(() => toDay(Date.now()));
  useEffect(() => {
    const timer = setInterval(() => setToday(toDay(Date.now())), tickMs);
    return () => clearInterval(timer);
  }, []);
  return today;
}
