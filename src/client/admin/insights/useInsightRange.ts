import { useEffect, useMemo, useState } from 'react';
import { useSearchParams } from '#client/admin/kit/useSearchParams.ts';
import { type InsightsRange, insightsSearch } from '#shared/admin/insights.ts';
import { defaultRange, isSameRange, rangeOf, type RequestedRange, searchOf } from './insightRange.ts';
import { utcDay } from './insightDays.ts';

const tickMs = 30_000;

export interface InsightRangeControl extends RequestedRange {
  /** The days on screen: the requested ones, or the last valid ones. */
  range: InsightsRange;
  today: string;
  setRange: (range: InsightsRange) => void;
}

/** The days on screen, kept in the URL. */
export function useInsightRange(): InsightRangeControl {
  const today = useToday();
  const { values, show } = useSearchParams(insightsSearch);
  const { requested, error } = useMemo(() => rangeOf(values, today), [values, today]);
  const [range, setRange] = useState(() => (error === null ? requested : defaultRange(today)));
  if (error === null && !isSameRange(range, requested)) setRange(requested);
  return { requested, error, range, today, setRange: (wanted) => show(searchOf(wanted, today)) };
}

/** The current day in UTC, updated after midnight. */
function useToday(): string {
  const [today, setToday] = useState(() => utcDay(Date.now()));
  useEffect(() => {
    const timer = setInterval(() => setToday(utcDay(Date.now())), tickMs);
    return () => clearInterval(timer);
  }, []);
  return today;
}
