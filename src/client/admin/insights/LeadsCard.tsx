import type { InsightsRange, LeadsByDay } from '#shared/admin/insights.ts';
import { InsightCard, type InsightQuery } from './InsightCard.tsx';
import { DayFigures, figureColumn } from './charts/FigureSplit.tsx';
import { StackChart, type StackPart } from './charts/StackChart.tsx';
import { siteColor } from './charts/chartColors.ts';
import { insightCopy, leadsFigureCopy as copy } from './copy.ts';
import { addUp, type LeadDay } from './insightDays.ts';

export function LeadsCard({ range, query }: { range: InsightsRange; query: InsightQuery<LeadsByDay> }) {
  return (
    <InsightCard
      figure="leads"
      range={range}
      copy={copy}
      query={query}
      isEmpty={({ days }) => getTotal(days) === 0}
      headline={({ days }) => ({ figure: copy.headline(getTotal(days)), note: copy.note(days.length) })}
    >
      {(data) => <LeadsFigures data={data} />}
    </InsightCard>
  );
}

function getTotal(days: readonly LeadDay[]): number {
  return addUp(days, ({ total }) => total);
}

function siteLabel(key: string, name: string | null): string {
  if (key === 'main') return copy.main;
  return key === 'others' ? copy.others : (name ?? copy.site(key));
}

/** The sites, each with its number of leads in the legend. */
function listSites({ sites, days }: LeadsByDay): StackPart<LeadDay>[] {
  const hasMain = sites.some(({ key }) => key === 'main');
  return sites.map(({ key, name }, index) => ({
    key,
    label: siteLabel(key, name),
    figure: addUp(days, ({ bySite }) => bySite[index] ?? 0).toLocaleString('en-US'),
    color: siteColor(key, index, hasMain),
    mark: 'block',
    count: ({ bySite }) => bySite[index] ?? 0,
  }));
}

function LeadsFigures({ data }: { data: LeadsByDay }) {
  const { days } = data;
  const sites = listSites(data);
  return (
    <DayFigures
      title={copy.title}
      days={days}
      columns={[
        figureColumn<LeadDay>('total', insightCopy.total, ({ total }) => total),
        ...sites.map(({ key, label, count }) => figureColumn(key, label, count)),
      ]}
    >
      <StackChart days={days} parts={sites} summary={(span) => copy.summary(span, getTotal(days))} />
    </DayFigures>
  );
}
