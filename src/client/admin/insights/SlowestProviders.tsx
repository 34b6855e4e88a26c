import { styled } from 'styled-components';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { token } from '#client/theme/tokens.ts';
import { Table } from '#client/ui/Table.tsx';
import type { FirstContacts } from '#shared/admin/insights.ts';
import { firstContactCopy as copy } from './copy.ts';
import { timeText } from './charts/TimesChart.tsx';

type SlowProvider = FirstContacts['slowest'][number];

const columns: readonly Column<SlowProvider>[] = [
  { key: 'provider', header: copy.provider, isRowHeader: true, cell: ({ name }) => name },
  {
    key: 'contacted',
    header: copy.contacted,
    align: 'end',
    cell: ({ contacted }) => contacted.toLocaleString('en-US'),
  },
  {
    key: 'median',
    header: copy.median,
    align: 'end',
    cell: ({ medianSeconds }) => timeText(medianSeconds),
  },
  { key: 'p95', header: copy.p95, align: 'end', cell: ({ p95Seconds }) => timeText(p95Seconds) },
];

/** The providers that were slowest to reach their leads. */
export function SlowestProviders({ providers }: { providers: readonly SlowProvider[] }) {
  return (
    <DataTable caption={copy.slowest} isCaptionVisible columns={columns} rows={providers} as={Providers} />
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
