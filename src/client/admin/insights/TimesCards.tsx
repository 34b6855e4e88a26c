import { styled } from 'styled-components';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { token } from '#client/theme/tokens.ts';
import { Table } from '#client/ui/Table.tsx';
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

/** The time from a lead to the provider's first contact, by day, and the slowest providers. */
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
      {({ days, slowest }) => (
        <>
          <DayFigures title={copy.title} days={days} columns={[contactedColumn, ...timeColumns]}>
            <TimesChart days={days} copy={copy} />
          </DayFigures>
          <SlowestProviders providers={slowest} />
        </>
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

type SlowProvider = FirstContacts['slowest'][number];

const providerColumns: readonly Column<SlowProvider>[] = [
  { key: 'provider', header: copy.provider, isRowHeader: true, cell: ({ name }) => name },
  contactedColumn,
  ...timeColumns,
];

function SlowestProviders({ providers }: { providers: readonly SlowProvider[] }) {
  return (
    <DataTable
      caption={copy.slowest}
      isCaptionVisible
      columns={providerColumns}
      rows={providers}
      as={Providers}
    />
  );
}

const Providers = styled(Table)`
  font-size: 0.875rem;

  & caption {
    padding: 0.75rem;
    color: ${token.muted};
    font-size: 0.8125rem;
    font-weight: 600;
    text-align: start;
  }

  & th,
  & td {
    padding: 0.375rem 0.75rem;
  }

  & th:first-child {
    min-inline-size: 9rem;
  }

  & td {
    white-space: nowrap;
  }

  & tbody th {
    color: ${token.foreground};
    overflow-wrap: anywhere;
  }

  & tbody td,
  & tbody th {
    block-size: 2.25rem;
  }
`;
