import { Line, LineChart } from 'recharts';
import { adminCopy } from '#shared/admin/copy.ts';
import { insightCopy } from '#client/admin/insights/copy.ts';
import { lineColors, secondDash } from './chartColors.ts';
import { ChartFrame } from './ChartFrame.tsx';
import { ChartGrid, chartBase, DayAxis, LineDot, MarkedAxis } from './chartParts.tsx';
import { ChartTip } from './ChartTip.tsx';
import { byDay, toSpan, fullDay } from '../insightDays.ts';
import { durationText, durationTicks } from '#shared/formats/durations.ts';

/** Times of a day's leads in seconds; null if there are none. */
export interface TimesDay {
  day: string;
  medianSeconds: number | null;
  p95Seconds: number | null;
}

interface TimesCopy {
  median: string;
  p95: string;
  summary: (days: string) => string;
}

const shortestSeconds = 0.1;

const medianMark = { key: 'median', color: lineColors.first, mark: 'line' } as const;
const p95Mark = { key: 'p95', color: lineColors.second, mark: 'dashed' } as const;

/** Seconds; a time that rounds to zero is a short one, not none. */
export function timeText(seconds: number | null): string {
  if (seconds === null) return adminCopy.none;
  return seconds < shortestSeconds
    ? insightCopy.lessThan(durationText(shortestSeconds))
    : durationText(seconds);
}

/** Names the slowest day; empty if none has a 95th percentile. */
export function slowestDayNote(
  days: readonly TimesDay[],
  text: (day: string, time: string) => string,
): string {
  const [slowest] = days.toSorted((a, b) => (b.p95Seconds ?? -1) - (a.p95Seconds ?? -1));
  return slowest === undefined || slowest.p95Seconds === null
    ? ''
    : text(fullDay(slowest.day), timeText(slowest.p95Seconds));
}

/** Median and 95th percentile by day, as two lines. */
export function TimesChart({ days, copy }: { days: TimesDay[]; copy: TimesCopy }) {
  const toDay = byDay(days);
  const span = toSpan(days);
  const longest = Math.max(...days.flatMap((day) => [day.p95Seconds ?? 0, day.medianSeconds ?? 0]));
  const median = { ...medianMark, label: copy.median };
  const p95 = { ...p95Mark, label: copy.p95 };
  return (
    <ChartFrame span={span} legend={[median, p95]}>
      <LineChart data={days} {...chartBase} aria-label={insightCopy.chartLabel(copy.summary(span))}>
        <ChartGrid />
        <DayAxis />
        <MarkedAxis ticks={durationTicks(longest)} text={durationText} />
        <ChartTip
          cursor="line"
          buildLines={(day) => [
            { ...p95, figure: timeText(toDay(day)?.p95Seconds ?? null) },
            { ...median, figure: timeText(toDay(day)?.medianSeconds ?? null) },
          ]}
        />
        <Line
          name={copy.p95}
          dataKey="p95Seconds"
          connectNulls={false}
          stroke={p95.color}
          strokeWidth={2}
          strokeDasharray={secondDash}
          dot={<LineDot values={days.map(({ p95Seconds }) => p95Seconds)} color={p95.color} />}
        />
        <Line
          name={copy.median}
          dataKey="medianSeconds"
          connectNulls={false}
          stroke={median.color}
          strokeWidth={2}
          dot={<LineDot values={days.map(({ medianSeconds }) => medianSeconds)} color={median.color} />}
        />
      </LineChart>
    </ChartFrame>
  );
}
