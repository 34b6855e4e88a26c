import { styled } from 'styled-components';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { durationText } from '#shared/formats/durations.ts';
import { Facts } from '#client/admin/kit/Facts.tsx';
import { MutedFigures } from '#client/admin/kit/layout.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { token } from '#client/theme/tokens.ts';
import { Table } from '#client/ui/Table.tsx';
import { type ProviderDetail, type RatedFigures, ratedMin } from '#shared/admin/adminProviders.ts';
import { adminCopy } from '#shared/admin/copy.ts';
import { monthNames, pageCopy } from './copy.ts';

const copy = pageCopy.results;

interface Figure {
  id: string;
  name: string;
  own: string;
  network: string;
}

const columns: readonly Column<Figure>[] = [
  { key: 'figure', header: copy.columns.figure, isRowHeader: true, cell: ({ name }) => name },
  { key: 'own', header: copy.columns.own, cell: ({ own }) => own },
  { key: 'network', header: copy.columns.network, cell: ({ network }) => network },
];

const writers: Readonly<Record<keyof typeof copy.rows, (figures: RatedFigures) => string>> = {
  leads: ({ leads }) => leads.toLocaleString('en-US'),
  reached: ({ reached, leads }) => rateText(reached, leads),
  booked: ({ booked, leads }) => rateText(booked, leads),
  median: ({ outcomes, medianSeconds }) =>
    medianSeconds === null || outcomes < ratedMin ? copy.fewOutcomes : durationText(medianSeconds),
};

function rateText(part: number, all: number): string {
  return all < ratedMin ? copy.fewLeads : copy.rate(part, all);
}

/** What came of a provider's leads, beside the network's, and how many it got each month. */
export function ProviderResults({ detail: { figures, months } }: { detail: ProviderDetail }) {
  const { data } = adminApi.admin.providers.figures.useQuery();
  const rows = (['leads', 'reached', 'booked', 'median'] as const).map((id) => ({
    id,
    name: copy.rows[id],
    own: writers[id](figures),
    network: data === undefined ? adminCopy.none : writers[id](data.network),
  }));
  return (
    <Facts title={copy.title}>
      <DataTable caption={copy.caption} isCaptionVisible columns={columns} rows={rows} as={Figures} />
      <Months months={months} />
    </Facts>
  );
}

/** Bars with their figures. The highest one has the whole height. */
function Months({ months }: Pick<ProviderDetail, 'months'>) {
  const most = Math.max(1, ...months.map(({ leads }) => leads));
  return (
    <figure>
      <MutedFigures as="figcaption">{copy.months}</MutedFigures>
      <Bars>
        {months.map(({ month, leads }) => {
          const { short, long } = monthNames(month);
          return (
            <li key={month}>
              <Bar style={{ blockSize: `${(leads / most) * 3.5}rem` }} />
              <span>{leads.toLocaleString('en-US')}</span>
              <time dateTime={month} title={long}>
                {short}
              </time>
            </li>
          );
        })}
      </Bars>
    </figure>
  );
}

const Figures = styled(Table)`
  margin-block-end: 1rem;
  font-size: 0.875rem;

  & caption {
    padding-block: 0.5rem;
    color: ${token.muted};
    font-size: 0.8125rem;
    text-align: start;
  }

  & tbody :is(td, th) {
    block-size: 2.25rem;
    color: ${token.foreground};
    text-align: start;
  }
`;

const Bars = styled.ol`
  display: grid;
  grid-template-columns: repeat(12, minmax(0, 1fr));
  gap: 0.125rem;
  min-block-size: 6.5rem;
  margin-block-start: 0.5rem;
  font-size: 0.8125rem;
  font-variant-numeric: tabular-nums;
  line-height: 1.3;
  text-align: center;

  & > li {
    display: grid;
    align-content: end;
  }

  & time {
    color: ${token.muted};
    font-size: 0.75rem;
  }
`;

const Bar = styled.div`
  min-block-size: 1px;
  background: ${token.secondary};
`;
