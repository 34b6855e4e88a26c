import type { FirstContacts, InsightsRange } from '#shared/admin/insights.ts';
import { firstContactCopy as copy, insightCopy } from './copy.ts';
import { newestFirst, addUp, fullDay } from './insightDays.ts';
import { FigureSplit } from './charts/FigureSplit.tsx';
import { InsightCard } from './InsightCard.tsx';
import { SlowestProviders } from './SlowestProviders.tsx';
import { slowestDayNote, timeText, TimesChart } from './charts/TimesChart.tsx';
import { useFirstContacts } from './useInsights.ts';

type ContactDay = FirstContacts['days'][number];

const columns = [
  { key: 'contacted', label: copy.contacted },
  { key: 'median', label: copy.median },
  { key: 'p95', label: copy.p95 },
];

/** The time from a lead to the provider's first contact, by day, and the slowest providers. */
export function FirstContactCard({ range }: { range: InsightsRange }) {
  return (
    <InsightCard
      figure="first-contact"
      range={range}
      copy={copy}
      query={useFirstContacts(range)}
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
