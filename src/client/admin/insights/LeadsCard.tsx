import { Bar, BarChart, BarStack } from 'recharts';
import type { InsightsRange, LeadsByDay } from '#shared/admin/insights.ts';
import { InsightCard, type InsightQuery } from './InsightCard.tsx';
import { ChartFrame } from './charts/ChartFrame.tsx';
import type { LegendItem } from './charts/ChartLegend.tsx';
import { ChartTip } from './charts/ChartTip.tsx';
import { FigureSplit } from './charts/FigureSplit.tsx';
import { siteColor } from './charts/chartColors.ts';
import {
  barGap,
  barLook,
  barRadius,
  chartBase,
  ChartGrid,
  CountAxis,
  DayAxis,
} from './charts/chartParts.tsx';
import { insightCopy, leadsFigureCopy as copy } from './copy.ts';
import { addUp, byDay, fullDay, type LeadDay, newestFirst, toSpan } from './insightDays.ts';

interface LeadsCardProps {
  range: InsightsRange;
  query: InsightQuery<LeadsByDay>;
}

/** The number of leads by day and site. */
export function LeadsCard({ range, query }: LeadsCardProps) {
  return (
    <InsightCard
      figure="leads"
      range={range}
      copy={copy}
      query={query}
      isEmpty={({ days }) => getTotal(days) === 0}
      headline={({ days }) => ({ figure: copy.headline(getTotal(days)), note: copy.note(days.length) })}
    >
      {(data) => (
        <FigureSplit
          title={copy.title}
          head={insightCopy.day}
          columns={[
            { key: 'total', label: insightCopy.total },
            ...data.sites.map(({ key, name }) => ({ key, label: siteLabel(key, name) })),
          ]}
          rows={newestFirst(data.days).map((day) => ({
            id: day.day,
            head: fullDay(day.day),
            cells: buildCells(day, data.sites),
          }))}
        >
          <LeadsChart data={data} />
        </FigureSplit>
      )}
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

function buildCells({ total, bySite }: LeadDay, sites: LeadsByDay['sites']): Record<string, string> {
  const cells = sites.map(({ key }, index) => [key, (bySite[index] ?? 0).toLocaleString('en-US')] as const);
  return { total: total.toLocaleString('en-US'), ...Object.fromEntries(cells) };
}

/** The sites in the legend, each with its number of leads. */
function listSites({ sites, days }: LeadsByDay): (LegendItem & { figure: string })[] {
  const hasMain = sites.some(({ key }) => key === 'main');
  return sites.map(({ key, name }, index) => ({
    key,
    label: siteLabel(key, name),
    figure: addUp(days, ({ bySite }) => bySite[index] ?? 0).toLocaleString('en-US'),
    color: siteColor(key, index, hasMain),
    mark: 'block',
  }));
}

function LeadsChart({ data }: { data: LeadsByDay }) {
  const { days } = data;
  const sites = listSites(data);
  const toDay = byDay(days);
  const span = toSpan(days);
  return (
    <ChartFrame span={span} legend={sites}>
      <BarChart
        data={days}
        {...chartBase}
        barCategoryGap={barGap(days.length)}
        maxBarSize={56}
        aria-label={insightCopy.chartLabel(copy.summary(span, getTotal(days)))}
      >
        <ChartGrid />
        <DayAxis />
        <CountAxis />
        <ChartTip
          cursor="band"
          buildLines={(day) =>
            // The stack's order, from the top.
            sites
              .map((site, index) => ({
                ...site,
                figure: (toDay(day)?.bySite[index] ?? 0).toLocaleString('en-US'),
              }))
              .toReversed()
          }
        />
        <BarStack stackId="sites" radius={barRadius(days.length)}>
          {sites.map(({ key, label, color }, index) => (
            <Bar
              key={key}
              name={label}
              dataKey={({ bySite }: LeadDay) => bySite[index] ?? 0}
              fill={color}
              {...barLook(days.length)}
            />
          ))}
        </BarStack>
      </BarChart>
    </ChartFrame>
  );
}
