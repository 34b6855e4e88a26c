import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { Table, TableFrame } from '#client/ui/Table.tsx';
import type { FirstContacts } from '#shared/admin/insights.ts';
import { firstContactCopy as copy } from '#client/admin/insights/copy.ts';
import { timeText } from './charts/TimesChart.tsx';

/** The clinics that took longest to reach their leads: whom to call. */
export function SlowestProviders({ providers }: { providers: FirstContacts['slowest'] }) {
  return (
    <TableFrame label={copy.slowest}>
      <Providers>
        <caption>{copy.slowest}</caption>
        <thead>
          <tr>
            <th scope="col">{copy.provider}</th>
            <th scope="col">{copy.contacted}</th>
            <th scope="col">{copy.median}</th>
            <th scope="col">{copy.p95}</th>
          </tr>
        </thead>
        <tbody>
          {providers.map(({ id, name, contacted, medianSeconds, p95Seconds }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              <td>{contacted.toLocaleString('en-US')}</td>
              <td>{timeText(medianSeconds)}</td>
              <td>{timeText(p95Seconds)}</td>
            </tr>
          ))}
        </tbody>
      </Providers>
    </TableFrame>
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
    text-align: end;
  }

  & th:first-child {
    min-inline-size: 9rem;
    text-align: start;
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
