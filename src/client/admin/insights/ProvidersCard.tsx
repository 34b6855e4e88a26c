import { styled } from 'styled-components';
import { Link } from 'wouter';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { Muted, Stack } from '#client/admin/kit/layout.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { SmallTitle } from '#client/ui/Section.tsx';
import { buildProviderHref } from '#shared/admin/adminProviders.ts';
import {
  type InsightsProviders,
  type InsightsRange,
  providersListedMax,
  rateLeadsMin,
} from '#shared/admin/insights.ts';
import { Figures } from './charts/FigureSplit.tsx';
import { timeText } from './charts/TimesChart.tsx';
import { insightCopy, providersCopy as copy } from './copy.ts';
import { keptOptions } from './InsightCard.tsx';
import { share } from './insightDays.ts';
import { Strip } from './Strip.tsx';

type Network = InsightsProviders['network'];
type Row = InsightsProviders['providers'][number];

/** What each provider made of its leads, as small strips over the network's figures. */
export function ProvidersCard({ range }: { range: InsightsRange }) {
  const { data, error, refetch } = adminApi.admin.insights.providers.useQuery(range, keptOptions);
  if (error !== null)
    return <LoadFailure error={error} fallback={copy.failed} onRetry={() => void refetch()} />;
  return (
    <Stack as="section" aria-labelledby="insight-providers" $gap="0.75rem">
      <SmallTitle as="h2" id="insight-providers">
        {copy.title}
      </SmallTitle>
      <DataTable
        caption={insightCopy.tableOf(copy.title)}
        loading={insightCopy.loading}
        columns={buildColumns(data)}
        rows={data === undefined ? null : listRows(data)}
        empty={<p>{copy.empty}</p>}
        as={Figures}
      />
      {data?.providers.length === 0 ? null : (
        <Muted as="p">{copy.note(rateLeadsMin, data?.providers.length === providersListedMax)}</Muted>
      )}
    </Stack>
  );
}

function listRows({ network, providers }: InsightsProviders): Row[] {
  return providers.length === 0 ? [] : [{ ...network, id: 0, name: copy.network }, ...providers];
}

const isNetwork = ({ id }: Row): boolean => id === 0;

function buildColumns(data: InsightsProviders | undefined): Column<Row>[] {
  const network = data?.network;
  // The tick is in the middle: one slow provider must not flatten the others.
  const scale = Math.max(1, 2 * (network?.medianSeconds ?? 0));
  const rate = (key: 'reached' | 'booked'): Column<Row> => ({
    key,
    header: copy[key],
    cell: (row) => <Rate row={row} network={network} of={key} />,
  });
  return [
    {
      key: 'provider',
      header: copy.provider,
      isRowHeader: true,
      cell: (row) => (isNetwork(row) ? row.name : <Link href={buildProviderHref(row.id)}>{row.name}</Link>),
    },
    {
      key: 'leads',
      header: copy.leads,
      align: 'end',
      cell: ({ matched }) => matched.toLocaleString('en-US'),
    },
    rate('reached'),
    rate('booked'),
    {
      key: 'median',
      header: copy.median,
      cell: ({ medianSeconds }) => (
        <Cell>
          {timeText(medianSeconds)}
          <Strip
            share={(medianSeconds ?? 0) / scale}
            mark={network?.medianSeconds == null ? null : network.medianSeconds / scale}
          />
        </Cell>
      ),
    },
  ];
}

interface RateProps {
  row: Row;
  network: Network | undefined;
  of: 'reached' | 'booked';
}

function Rate({ row, network, of }: RateProps) {
  const rate = row.matched < rateLeadsMin ? null : share(row[of], row.matched);
  return (
    <Cell>
      {rate === null ? copy.fewer(row[of], rateLeadsMin) : copy.rate(insightCopy.percent(rate), row[of])}
      <Strip
        share={rate ?? 0}
        mark={isNetwork(row) || network === undefined ? null : share(network[of], network.matched)}
      />
    </Cell>
  );
}

/** Its text has one line where there is room. */
const Cell = styled.div`
  display: grid;
  gap: 2px;

  @container (width >= 45rem) {
    white-space: nowrap;
  }
`;
