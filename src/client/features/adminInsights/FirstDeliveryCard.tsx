import { Line, LineChart } from 'recharts';
import { adminWords } from '#shared/adminWords.ts';
import type { FirstDeliveries, InsightsRange } from '#shared/insights.ts';
import { firstDeliveryWords as words, insightWords } from '#shared/insightWords.ts';
import { lineColours, secondDash } from './chartColours.ts';
import { ChartFrame } from './ChartFrame.tsx';
import { ChartGrid, chartMargin, DayAxis, LineDot, MarkedAxis } from './chartParts.tsx';
import { ChartTip } from './ChartTip.tsx';
import { byDay, newestFirst, spanOf, sumOf } from './daySums.ts';
import { durationText, durationTicks } from './durations.ts';
import { FigureSplit } from './FigureSplit.tsx';
import { InsightCard } from './InsightCard.tsx';
import { fullDay } from './insightDays.ts';
import { useFirstDeliveries } from './useInsights.ts';

type DeliveryDay = FirstDeliveries['days'][number];

const median = { key: 'median', label: words.median, colour: lineColours.first, mark: 'line' } as const;
const p95 = { key: 'p95', label: words.p95, colour: lineColours.second, mark: 'dashed' } as const;

const columns = [
  { key: 'delivered', label: words.delivered },
  { key: 'median', label: words.median },
  { key: 'p95', label: words.p95 },
];

/** How long leads of a day waited until somebody had them. */
export function FirstDeliveryCard({ range }: { range: InsightsRange }) {
  return (
    <InsightCard
      figure="first-delivery"
      range={range}
      words={words}
      query={useFirstDeliveries(range)}
      isEmpty={({ days }) => deliveredIn(days) === 0}
      headline={({ days }) => ({ figure: words.headline(deliveredIn(days)), note: slowestNote(days) })}
    >
      {({ days }) => (
        <FigureSplit
          title={words.title}
          head={insightWords.day}
          columns={columns}
          rows={newestFirst(days).map(({ day, delivered, medianSeconds, p95Seconds }) => ({
            key: day,
            head: fullDay(day),
            cells: {
              delivered: delivered.toLocaleString('en-US'),
              median: timeText(medianSeconds),
              p95: timeText(p95Seconds),
            },
          }))}
        >
          <TimesChart days={days} />
        </FigureSplit>
      )}
    </InsightCard>
  );
}

function deliveredIn(days: readonly DeliveryDay[]): number {
  return sumOf(days, ({ delivered }) => delivered);
}

function timeText(seconds: number | null): string {
  return seconds === null ? adminWords.none : durationText(seconds);
}

/** Medians of days don't add up to one of them all: the slowest day is told instead. */
function slowestNote(days: readonly DeliveryDay[]): string {
  const [slowest] = days.toSorted((a, b) => (b.p95Seconds ?? -1) - (a.p95Seconds ?? -1));
  return slowest === undefined ? '' : words.note(fullDay(slowest.day), timeText(slowest.p95Seconds));
}

function TimesChart({ days }: { days: DeliveryDay[] }) {
  const dayOf = byDay(days);
  const span = spanOf(days);
  const longest = Math.max(...days.map(({ p95Seconds }) => p95Seconds ?? 0));
  return (
    <ChartFrame span={span} legend={[median, p95]}>
      <LineChart data={days} margin={chartMargin} aria-label={insightWords.chartLabel(words.summary(span))}>
        <ChartGrid />
        <DayAxis />
        <MarkedAxis ticks={durationTicks(longest)} text={durationText} />
        <ChartTip
          cursor="line"
          linesOf={(day) => [
            { ...p95, figure: timeText(dayOf(day)?.p95Seconds ?? null) },
            { ...median, figure: timeText(dayOf(day)?.medianSeconds ?? null) },
          ]}
        />
        <Line
          name={words.p95}
          dataKey="p95Seconds"
          connectNulls={false}
          stroke={p95.colour}
          strokeWidth={2}
          strokeDasharray={secondDash}
          dot={<LineDot values={days.map(({ p95Seconds }) => p95Seconds)} colour={p95.colour} />}
        />
        <Line
          name={words.median}
          dataKey="medianSeconds"
          connectNulls={false}
          stroke={median.colour}
          strokeWidth={2}
          dot={<LineDot values={days.map(({ medianSeconds }) => medianSeconds)} colour={median.colour} />}
        />
      </LineChart>
    </ChartFrame>
  );
}
