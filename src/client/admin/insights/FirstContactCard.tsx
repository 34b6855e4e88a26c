import type { FirstContacts, InsightsRange } from '#shared/admin/insights.ts';
import { firstContactWords as words, insightWords } from '#client/admin/insights/copy.ts';
import { newestFirst, sumOf } from './daySums.ts';
import { FigureSplit } from './charts/FigureSplit.tsx';
import { InsightCard } from './InsightCard.tsx';
import { fullDay } from './insightDays.ts';
import { SlowestProviders } from './SlowestProviders.tsx';
import { slowestDayNote, timeText, TimesChart } from './charts/TimesChart.tsx';
import { useFirstContacts } from './useInsights.ts';

type ContactDay = FirstContacts['days'][number];

const columns = [
  { key: 'contacted', label: words.contacted },
  { key: 'median', label: words.median },
  { key: 'p95', label: words.p95 },
];

/** How long leads of a day waited until their clinic had spoken with them, and which clinics took longest. */
export function FirstContactCard({ range }: { range: InsightsRange }) {
  return (
    <InsightCard
      figure="first-contact"
      range={range}
      words={words}
      query={useFirstContacts(range)}
      isEmpty={({ days }) => contactedIn(days) === 0}
      headline={({ days }) => ({
        figure: words.headline(contactedIn(days)),
        note: slowestDayNote(days, words),
      })}
    >
      {({ days, slowest }) => (
        <>
          <FigureSplit
            title={words.title}
            head={insightWords.day}
            columns={columns}
            rows={newestFirst(days).map(({ day, contacted, medianSeconds, p95Seconds }) => ({
              key: day,
              head: fullDay(day),
              cells: {
                contacted: contacted.toLocaleString('en-US'),
                median: timeText(medianSeconds),
                p95: timeText(p95Seconds),
              },
            }))}
          >
            <TimesChart days={days} words={words} />
          </FigureSplit>
          <SlowestProviders providers={slowest} />
        </>
      )}
    </InsightCard>
  );
}

function contactedIn(days: readonly ContactDay[]): number {
  return sumOf(days, ({ contacted }) => contacted);
}
