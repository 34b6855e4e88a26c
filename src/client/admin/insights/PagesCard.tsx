import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Muted, Stack, TwoColumns } from '#client/admin/kit/layout.tsx';
import { adminCopy } from '#shared/admin/copy.ts';
import type { InsightsRange, PageRate } from '#shared/admin/insights.ts';
import { InsightCard, keptOptions } from './InsightCard.tsx';
import { figureColumn, Figures } from './charts/FigureSplit.tsx';
import { ShowData } from './ShowData.tsx';
import { Strip } from './Strip.tsx';
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
          <TwoColumns $gap="1.25rem">
            <Funnel title={copy.page} rows={pages} toName={copy.pageName} />
            <Funnel title={copy.campaign} rows={campaigns} toName={copy.campaignName} />
          </TwoColumns>
          <ShowData title={copy.title}>
            <Stack>
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
            </Stack>
          </ShowData>
        </>
      )}
    </InsightCard>
  );
}

/** Rows drawn; the table has all. */
const drawnMax = 6;
const steps = ['starts', 'leads', 'reached', 'booked'] as const;
const stepNames = {
  starts: copy.started,
  leads: copy.leads,
  reached: copy.reached,
  booked: copy.booked,
} as const;

interface FunnelProps {
  title: string;
  rows: readonly PageRate[];
  toName: (name: string) => string;
}

/** Each step as a line, to one scale for the rows of that step. */
function buildFunnel({ title, rows, toName }: FunnelProps): Column<PageRate & { id: string }>[] {
  return [
    { key: 'name', header: title, isRowHeader: true, cell: ({ name }) => toName(name) },
    ...steps.map((step) => {
      const longest = Math.max(1, ...rows.map((row) => row[step]));
      return {
        key: step,
        header: stepNames[step],
        cell: (row: PageRate) => (
          <>
            {row[step].toLocaleString('en-US')}
            <Strip share={row[step] / longest} />
          </>
        ),
      };
    }),
  ];
}

/** What became of started forms. */
function Funnel(props: FunnelProps) {
  const { title, rows } = props;
  return (
    <DataTable
      caption={copy.funnel(title)}
      columns={buildFunnel(props)}
      rows={rows.slice(0, drawnMax).map((row) => ({ ...row, id: row.name }))}
      as={Figures}
    />
  );
}

function buildColumns(header: string, toName: (name: string) => string): Column<PageRate & { id: string }>[] {
  return [
    { key: 'name', header, isRowHeader: true, cell: ({ name }) => toName(name) },
    ...steps.map((step) => figureColumn<PageRate>(step, stepNames[step], (row) => row[step])),
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
