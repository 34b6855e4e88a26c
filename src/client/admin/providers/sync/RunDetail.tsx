import { keepPreviousData } from '@tanstack/react-query';
import { styled } from 'styled-components';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { token } from '#client/theme/tokens.ts';
import { adminCopy } from '#shared/admin/copy.ts';
import { type SyncRun, type SyncRunRow, syncRunRowsMax } from '#shared/admin/sync.ts';
import { syncMessages } from './copy.ts';

const copy = syncMessages.changed;

/** What one run changed, or would change: its counts, and each provider with the reason. */
export function RunDetail({ id }: { id: number }) {
  const { data, error, isFetching, refetch } = adminApi.sync.runDetail.useQuery(
    { id },
    { placeholderData: keepPreviousData },
  );
  if (error !== null)
    return <LoadFailure error={error} fallback={syncMessages.detailFailed} onRetry={() => void refetch()} />;
  if (data === undefined) return <output>{syncMessages.loading}</output>;
  const { run, rows } = data;
  return (
    <Panel>
      <h3>{copy.heading}</h3>
      {run.message === null ? null : <Message $isBad={run.outcome !== 'done'}>{run.message}</Message>}
      <Counts>{syncMessages.counts(run)}</Counts>
      <DataTable
        caption={copy.heading}
        columns={columns}
        rows={rows.map((row, index): NumberedRow => ({ ...row, id: index }))}
        isBusy={isFetching}
        empty={<p>{copy.none}</p>}
      />
      {findChanged(run) > rows.length ? <Counts>{copy.first(syncRunRowsMax)}</Counts> : null}
    </Panel>
  );
}

/** The number of rows of a run that stored all of them. */
function findChanged({ created, updated, deactivated, skipped, warned }: SyncRun): number {
  return created + updated + deactivated + skipped + warned;
}

const Panel = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 0.75rem;
  padding: 1rem;
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
`;

const Message = styled.p<{ $isBad: boolean }>`
  color: ${({ $isBad }) => ($isBad ? token.danger : 'inherit')};
  overflow-wrap: anywhere;
`;

const Counts = styled.p`
  color: ${token.muted};
  font-size: 0.875rem;
  font-variant-numeric: tabular-nums;
`;

const Wide = styled.td`
  overflow-wrap: anywhere;
`;

interface NumberedRow extends SyncRunRow {
  /** Its position: a feed may repeat a WordPress number, and a row may have none. */
  id: number;
}

const columns: readonly Column<NumberedRow>[] = [
  { key: 'change', header: copy.columns.change, cell: ({ change }) => syncMessages.changes[change] },
  {
    key: 'number',
    header: copy.columns.number,
    cell: ({ wordpressId }) => wordpressId ?? adminCopy.none,
  },
  { key: 'name', header: copy.columns.name, Cell: Wide, cell: ({ name }) => name ?? adminCopy.none },
  { key: 'detail', header: copy.columns.detail, Cell: Wide, cell: ({ detail }) => detail ?? '' },
];
