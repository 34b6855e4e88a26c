import { adminApi } from '#client/admin/kit/adminApi.tsx';
import type { FirstDeliveries, InsightsRange } from '#shared/admin/insights.ts';
import { InsightCard, keptOptions } from './InsightCard.tsx';
import { FigureSplit } from './charts/FigureSplit.tsx';
import { slowestDayNote, TimesChart, timeText } from './charts/TimesChart.tsx';
import { firstDeliveryCopy as copy, insightCopy } from './copy.ts';
import { addUp, fullDay, newestFirst } from './insightDays.ts';

type DeliveryDay = FirstDeliveries['days'][number];

const columns = [
  { key: 'delivered', label: copy.delivered },
  { key: 'median', label: copy.median },
  { key: 'p95', label: copy.p95 },
];

/** The time from a lead to its first delivery, by day. */
export function FirstDeliveryCard({ range }: { range: InsightsRange }) {
  const query = adminApi.admin.insights.firstDeliveries.useQuery(range, keptOptions);
  return (
    <InsightCard
      figure="first-delivery"
      range={range}
      copy={copy}
      query={query}
      isEmpty={({ days }) => deliveredIn(days) === 0}
      headline={({ days, medianSeconds }) => ({
        figure: copy.headline(timeText(medianSeconds)),
        note: [copy.note(deliveredIn(days)), slowestDayNote(days, copy.slowest)]
          .filter((text) => text !== '')
          .join('. '),
      })}
    >
      {({ days }) => (
        <FigureSplit
          title={copy.title}
          head={insightCopy.day}
          columns={columns}
          rows={newestFirst(days).map(({ day, delivered, medianSeconds, p95Seconds }) => ({
            id: day,
            head: fullDay(day),
            cells: {
              delivered: delivered.toLocaleString('en-US'),
              median: timeText(medianSeconds),
              p95: timeText(p95Seconds),
            },
          }))}
        >
          <TimesChart days={days} copy={copy} />
        </FigureSplit>
      )}
    </InsightCard>
  );
}

function deliveredIn(days: readonly DeliveryDay[]): number {
  return addUp(days, ({ delivered }) => delivered);
}
