import { Area, AreaChart } from 'recharts';
import { adminCopy } from '#shared/admin/copy.ts';
import type { InsightsRange, LeadsByDay } from '#shared/admin/insights.ts';
import { InsightCard, type InsightQuery } from './InsightCard.tsx';
import { ChartFrame } from './charts/ChartFrame.tsx';
import { ChartTip } from './charts/ChartTip.tsx';
import { DayFigures, figureColumn } from './charts/FigureSplit.tsx';
import { lineColors } from './charts/chartColors.ts';
import { chartBase, ChartGrid, DayAxis, LineDot, MarkedAxis } from './charts/chartParts.tsx';
import { insightCopy, matchFigureCopy as copy } from './copy.ts';
import { addUp, byDay, type LeadDay, share, toSpan } from './insightDays.ts';

const percentTicks = [0, 0.25, 0.5, 0.75, 1];
const line = { key: 'rate', label: copy.rate, color: lineColors.first, mark: 'line' } as const;

const columns = [
  figureColumn<LeadDay>('total', insightCopy.leads, ({ total }) => total),
  figureColumn<LeadDay>('matched', copy.matched, ({ matched }) => matched),
  figureColumn<LeadDay>('rate', copy.rate, ({ matched, total }) => rateText(share(matched, total))),
];

/** The share of leads that have a provider now. */
export function MatchCard({ range, query }: { range: InsightsRange; query: InsightQuery<LeadsByDay> }) {
  return (
    <InsightCard
      figure="matches"
      range={range}
      copy={copy}
      query={query}
      isEmpty={({ days }) => addUp(days, ({ total }) => total) === 0}
      headline={({ days }) => {
        const { matched, total } = addTotals(days);
        return { figure: rateText(share(matched, total)), note: copy.note(matched, total) };
      }}
    >
      {({ days }) => (
        <DayFigures title={copy.title} days={days} columns={columns}>
          <MatchChart days={days} />
        </DayFigures>
      )}
    </InsightCard>
  );
}

function addTotals(days: readonly LeadDay[]): { matched: number; total: number } {
  return { matched: addUp(days, ({ matched }) => matched), total: addUp(days, ({ total }) => total) };
}

function rateText(rate: number | null): string {
  return rate === null ? adminCopy.none : insightCopy.percent(rate);
}

/** A day without leads has no rate: the line has a gap. */
function MatchChart({ days }: { days: LeadDay[] }) {
  const rates = days.map(({ matched, total }) => share(matched, total));
  const { matched, total } = addTotals(days);
  const toDay = byDay(days);
  const span = toSpan(days);
  return (
    <ChartFrame span={span} legend={[line]}>
      <AreaChart
        data={days}
        {...chartBase}
        aria-label={insightCopy.chartLabel(copy.summary(span, rateText(share(matched, total))))}
      >
        <ChartGrid />
        <DayAxis />
        <MarkedAxis ticks={percentTicks} text={insightCopy.percentMark} />
        <ChartTip
          cursor="line"
          buildLines={(day) => {
            const found = toDay(day);
            const rate = found === undefined ? null : share(found.matched, found.total);
            return [{ ...line, figure: rateText(rate) }];
          }}
        />
        <Area
          name={copy.rate}
          dataKey={(day: LeadDay) => share(day.matched, day.total)}
          connectNulls={false}
          stroke={lineColors.first}
          strokeWidth={2}
          fill={lineColors.first}
          fillOpacity={0.07}
          dot={<LineDot values={rates} color={lineColors.first} />}
          activeDot={{ r: 4 }}
        />
      </AreaChart>
    </ChartFrame>
  );
}
