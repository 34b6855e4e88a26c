import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Muted } from '#client/admin/kit/layout.tsx';
import { adminCopy } from '#shared/admin/copy.ts';
import type { InsightsRange, PageRate } from '#shared/admin/insights.ts';
import { InsightCard, keptOptions } from './InsightCard.tsx';
import { Figures } from './charts/FigureSplit.tsx';
import { insightCopy, pagesCopy as copy } from './copy.ts';
import { addUp, share } from './insightDays.ts';

/** Which first page and which campaign bring more leads. */
export function PagesCard({ range }: { range: InsightsRange }) {
  const query = adminApi.admin.insights.pageRates.useQuery(range, keptOptions);
  return (
    <InsightCard
      figure="pages"
      range={range}
      copy={copy}
      query={query}
      isEmpty={({ pages }) => pages.length === 0}
      headline={({ pages }) => {
        const [leads, started] = [addUp(pages, (row) => row.leads), addUp(pages, (row) => row.starts)];
        const rate = leads > started ? null : share(leads, started);
        const figure = rate === null ? adminCopy.none : copy.headline(insightCopy.percent(rate));
        return { figure, note: copy.note(leads, started) };
      }}
    >
      {({ pages, campaigns }) => (
        <>
          <DataTable
            caption={copy.page}
            columns={buildColumns(copy.page, copy.pageName)}
            rows={pages.map((row) => ({ ...row, id: row.name }))}
            as={Figures}
          />
          <DataTable
            caption={copy.campaign}
            columns={buildColumns(copy.campaign, copy.campaignName)}
            rows={campaigns.map((row) => ({ ...row, id: row.name }))}
            as={Figures}
          />
          <Muted as="p" $size="0.875rem">
            {copy.scope}
          </Muted>
        </>
      )}
    </InsightCard>
  );
}

function buildColumns(header: string, toName: (name: string) => string): Column<PageRate & { id: string }>[] {
  const figure = (key: 'starts' | 'leads' | 'reached' | 'booked', label: string) => ({
    key,
    header: label,
    align: 'end' as const,
    cell: (row: PageRate) => row[key].toLocaleString('en-US'),
  });
  return [
    { key: 'name', header, isRowHeader: true, cell: ({ name }) => toName(name) },
    figure('starts', copy.started),
    figure('leads', copy.leads),
    figure('reached', copy.reached),
    figure('booked', copy.booked),
    {
      key: 'rate',
      header: copy.rate,
      align: 'end',
      cell: ({ rate }) => (rate === null ? adminCopy.none : copy.interval(rate.share, rate.low, rate.high)),
    },
    { key: 'compared', header: copy.compared, cell: ({ comparison }) => comparisonText(comparison) },
  ];
}

function comparisonText(comparison: PageRate['comparison']): string {
  if (comparison === null) return adminCopy.none;
  if (comparison.verdict !== 'open') return copy[comparison.verdict];
  const { neededSuccesses } = comparison;
  return neededSuccesses === null ? copy.equal : copy.needed(neededSuccesses);
}
