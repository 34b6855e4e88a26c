import { useId } from 'react';
import { Bar, BarChart, BarStack } from 'recharts';
import type { DeliveryHealth, InsightsRange, LeadsByDay } from '#shared/insights.ts';
import { deliveryWords as words, insightWords } from '#shared/insightWords.ts';
import { deliveryColours } from './chartColours.ts';
import { ChartFrame } from './ChartFrame.tsx';
import { barGap, barLook, barRadius, ChartGrid, chartMargin, CountAxis, DayAxis } from './chartParts.tsx';
import { ChartTip } from './ChartTip.tsx';
import { byDay, newestFirst, share, spanOf, sumOf } from './daySums.ts';
import { DeliveryTotals } from './DeliveryTotals.tsx';
import { FigureSplit } from './FigureSplit.tsx';
import { InsightCard } from './InsightCard.tsx';
import { fullDay } from './insightDays.ts';
import { type InsightQuery, useDeliveryHealth } from './useInsights.ts';

type TryDay = DeliveryHealth['days'][number];

const delivered = {
  key: 'delivered',
  label: words.delivered,
  colour: deliveryColours.delivered,
  mark: 'block',
} as const;
const failed = {
  key: 'failed',
  label: words.failedTries,
  colour: deliveryColours.failed,
  mark: 'striped',
} as const;

interface DeliveryCardProps {
  range: InsightsRange;
  /** For how far the CRM has these days' leads. */
  leads: InsightQuery<LeadsByDay>;
}

/** How tries to deliver went, each day and by channel, and how far the CRM is. */
export function DeliveryCard({ range, leads }: DeliveryCardProps) {
  const query = useDeliveryHealth(range);
  return (
    <InsightCard
      figure="deliveries"
      range={range}
      words={words}
      query={query}
      isEmpty={({ days }) => triesIn(days) === 0}
      headline={({ days }) => ({
        figure: words.headline(rateOf(days)),
        note: words.note(triesIn(days), failedIn(days)),
      })}
      foot={
        <DeliveryTotals
          channels={query.error === null ? (query.data?.channels ?? []) : []}
          leadDays={leads.data?.days ?? []}
        />
      }
    >
      {({ days }) => (
        <FigureSplit
          title={words.title}
          head={insightWords.day}
          columns={[delivered, failed]}
          rows={newestFirst(days).map((day) => ({
            key: day.day,
            head: fullDay(day.day),
            cells: {
              delivered: day.delivered.toLocaleString('en-US'),
              failed: day.failed.toLocaleString('en-US'),
            },
          }))}
        >
          <TriesChart days={days} />
        </FigureSplit>
      )}
    </InsightCard>
  );
}

function failedIn(days: readonly TryDay[]): number {
  return sumOf(days, (day) => day.failed);
}

function triesIn(days: readonly TryDay[]): number {
  return sumOf(days, (day) => day.delivered + day.failed);
}

function rateOf(days: readonly TryDay[]): string {
  return insightWords.percent(1 - (share(failedIn(days), triesIn(days)) ?? 0));
}

function TriesChart({ days }: { days: TryDay[] }) {
  const stripes = useId();
  const dayOf = byDay(days);
  const span = spanOf(days);
  const look = barLook(days.length);
  return (
    <ChartFrame span={span} legend={[delivered, failed]}>
      <BarChart
        data={days}
        margin={chartMargin}
        barCategoryGap={barGap(days.length)}
        maxBarSize={56}
        aria-label={insightWords.chartLabel(words.summary(span, rateOf(days)))}
      >
        <defs>
          <pattern
            id={stripes}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="6" height="6" fill={failed.colour} />
            <rect width="1.5" height="6" fill="#ffffff" />
          </pattern>
        </defs>
        <ChartGrid />
        <DayAxis />
        <CountAxis />
        <ChartTip
          cursor="band"
          linesOf={(day) => [
            { ...failed, figure: (dayOf(day)?.failed ?? 0).toLocaleString('en-US') },
            { ...delivered, figure: (dayOf(day)?.delivered ?? 0).toLocaleString('en-US') },
          ]}
        />
        <BarStack stackId="tries" radius={barRadius(days.length)}>
          <Bar name={words.delivered} dataKey="delivered" fill={delivered.colour} {...look} />
          <Bar name={words.failedTries} dataKey="failed" fill={`url(#${stripes})`} {...look} />
        </BarStack>
      </BarChart>
    </ChartFrame>
  );
}
