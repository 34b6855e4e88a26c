import { adminApi } from '#client/admin/kit/adminApi.tsx';
import type { FirstContacts, InsightsRange } from '#shared/admin/insights.ts';
import { InsightCard, keptOptions } from './InsightCard.tsx';
import { SlowestProviders } from './SlowestProviders.tsx';
import { FigureSplit } from './charts/FigureSplit.tsx';
import { slowestDayNote, TimesChart, timeText } from './charts/TimesChart.tsx';
import { firstContactCopy as copy, insightCopy } from './copy.ts';
import { addUp, fullDay, newestFirst } from './insightDays.ts';

type ContactDay = FirstContacts['days'][number];

const columns = [
  { key: 'contacted', label: copy.contacted },
  { key: 'median', label: copy.median },
  { key: 'p95', label: copy.p95 },
];

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
          <FigureSplit
            title={copy.title}
            head={insightCopy.day}
            columns={columns}
            rows={newestFirst(days).map(({ day, contacted, medianSeconds, p95Seconds }) => ({
              id: day,
              head: fullDay(day),
              cells: {
                contacted: contacted.toLocaleString('en-US'),
                median: timeText(medianSeconds),
                p95: timeText(p95Seconds),
              },
            }))}
          >
            <TimesChart days={days} copy={copy} />
          </FigureSplit>
          <SlowestProviders providers={slowest} />
        </>
      )}
    </InsightCard>
  );
}

function contactedIn(days: readonly ContactDay[]): number {
  return addUp(days, ({ contacted }) => contacted);
}
