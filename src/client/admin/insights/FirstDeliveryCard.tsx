import type { FirstDeliveries, InsightsRange } from '#shared/admin/insights.ts';
import { firstDeliveryWords as words, insightWords } from '#client/admin/insights/copy.ts';
import { newestFirst, sumOf } from './daySums.ts';
import { FigureSplit } from './charts/FigureSplit.tsx';
import { InsightCard } from './InsightCard.tsx';
import { fullDay } from './insightDays.ts';
import { slowestDayNote, timeText, TimesChart } from './charts/TimesChart.tsx';
import { useFirstDeliveries } from './useInsights.ts';

type DeliveryDay = FirstDeliveries['days'][number];

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
      headline={({ days }) => ({
        figure: words.headline(deliveredIn(days)),
        note: slowestDayNote(days, words),
      })}
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
          <TimesChart days={days} words={words} />
        </FigureSplit>
      )}
    </InsightCard>
  );
}

function deliveredIn(days: readonly DeliveryDay[]): number {
  return sumOf(days, ({ delivered }) => delivered);
}
