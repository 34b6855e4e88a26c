import { adminApi } from '#client/admin/kit/adminApi.tsx';
import type { FirstContacts, FirstDeliveries, InsightsRange } from '#shared/admin/insights.ts';
import { InsightCard, keptOptions } from './InsightCard.tsx';
import { DayFigures, figureColumn } from './charts/FigureSplit.tsx';
import { slowestDayNote, TimesChart, type TimesDay, timeText } from './charts/TimesChart.tsx';
import { firstContactCopy as copy, firstDeliveryCopy as deliveryCopy } from './copy.ts';
import { addUp } from './insightDays.ts';

type ContactDay = FirstContacts['days'][number];

const timeColumns = [
  figureColumn<Omit<TimesDay, 'day'>>('median', copy.median, ({ medianSeconds }) => timeText(medianSeconds)),
  figureColumn<Omit<TimesDay, 'day'>>('p95', copy.p95, ({ p95Seconds }) => timeText(p95Seconds)),
];
const contactedColumn = figureColumn<{ contacted: number }>(
  'contacted',
  copy.contacted,
  (row) => row.contacted,
);
const deliveredColumn = figureColumn<DeliveryDay>(
  'delivered',
  deliveryCopy.delivered,
  (day) => day.delivered,
);

/** The time from a lead to the provider's first contact, by day. */
export function FirstContactCard({ range }: { range: InsightsRange }) {
  const query = adminApi.admin.insights.firstContacts.useQuery(range, keptOptions);
  return (
    <InsightCard
      figure="first-contact"
      range={range}
      copy={copy}
      query={query}
      isEmpty={({ days }) => contactedIn(days) === 0}
      headline={({ days }) => ({
        figure: copy.headline(contactedIn(days)),
        note: slowestDayNote(days, copy.note),
      })}
    >
      {({ days }) => (
        <DayFigures title={copy.title} days={days} columns={[contactedColumn, ...timeColumns]}>
          <TimesChart days={days} copy={copy} />
        </DayFigures>
      )}
    </InsightCard>
  );
}

function contactedIn(days: readonly ContactDay[]): number {
  return addUp(days, ({ contacted }) => contacted);
}

type DeliveryDay = FirstDeliveries['days'][number];

/** The time from a lead to its first delivery, by day. */
export function FirstDeliveryCard({ range }: { range: InsightsRange }) {
  const query = adminApi.admin.insights.firstDeliveries.useQuery(range, keptOptions);
  return (
    <InsightCard
      figure="first-delivery"
      range={range}
      copy={deliveryCopy}
      query={query}
      isEmpty={({ days }) => deliveredIn(days) === 0}
      headline={({ days, medianSeconds }) => ({
        figure: deliveryCopy.headline(timeText(medianSeconds)),
        note: [deliveryCopy.note(deliveredIn(days)), slowestDayNote(days, deliveryCopy.slowest)]
          .filter((text) => text !== '')
          .join('. '),
      })}
    >
      {({ days }) => (
        <DayFigures title={deliveryCopy.title} days={days} columns={[deliveredColumn, ...timeColumns]}>
          <TimesChart days={days} copy={deliveryCopy} />
        </DayFigures>
      )}
    </InsightCard>
  );
}

function deliveredIn(days: readonly DeliveryDay[]): number {
  return addUp(days, ({ delivered }) => delivered);
}
