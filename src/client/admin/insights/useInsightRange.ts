import { useCallback, useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { InsightsRange } from '#shared/admin/insights.ts';
import {
  type AddressedRange,
  isSameRange,
  readRange,
  usualRange,
  writeRange,
} from './insightSearchParams.ts';
import { utcDay } from './insightDays.ts';

const tickMs = 30_000;

export interface InsightRangeControl extends AddressedRange {
  /** What is shown: the days asked for, or, while those can't be looked at, the last that could. */
  range: InsightsRange;
  today: string;
  setRange: (range: InsightsRange) => void;
}

/** The days looked at: kept in the address. */
export function useInsightRange(): InsightRangeControl {
  const today = useToday();
  const [params, setParams] = useSearchParams();
  const { asked, fault } = useMemo(() => readRange(params, today), [params, today]);
  const [range, setGood] = useState(() => (fault === null ? asked : usualRange(today)));
  if (fault === null && !isSameRange(range, asked)) setGood(asked);
  const setRange = useCallback(
    (wanted: InsightsRange) => setParams((now) => writeRange(now, wanted, today)),
    [setParams, today],
  );
  return { asked, fault, range, today, setRange };
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
