import { useEffect, useMemo, useState } from 'react';
import { useSearchParams } from '#client/admin/kit/useSearchParams.ts';
import { type InsightsRange, insightsSearch } from '#shared/admin/insights.ts';
import { isSameRange, rangeOf, type RequestedRange, searchOf, usualRange } from './insightRange.ts';
import { utcDay } from './insightDays.ts';

const tickMs = 30_000;

export interface InsightRangeControl extends RequestedRange {
  /** The days on screen: those asked for, or the last valid ones. */
  range: InsightsRange;
  today: string;
  setRange: (range: InsightsRange) => void;
}

/** The days on screen, kept in the URL. */
export function useInsightRange(): InsightRangeControl {
  const today = useToday();
  const { values, show } = useSearchParams(insightsSearch);
  const { asked, fault } = useMemo(() => rangeOf(values, today), [values, today]);
  const [range, setGood] = useState(() => (fault === null ? asked : usualRange(today)));
  if (fault === null && !isSameRange(range, asked)) setGood(asked);
  return { asked, fault, range, today, setRange: (wanted) => show(searchOf(wanted, today)) };
}

/** The day in UTC, also past midnight. */
function useToday(): string {
  const [today, setToday] = useState(() => utcDay(Date.now()));
  useEffect(() => {
    const timer = setInterval(() => setToday(utcDay(Date.now())), tickMs);
    return () => clearInterval(timer);
  }, []);
  return today;
}
