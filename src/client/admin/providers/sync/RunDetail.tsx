import { styled } from 'styled-components';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { token } from '#client/theme/tokens.ts';
import { Table, TableFrame } from '#client/ui/Table.tsx';
import { adminCopy } from '#shared/admin/copy.ts';
import { type SyncRun, type SyncRunRow, syncRunRowsMax } from '#shared/admin/sync.ts';
import { syncMessages } from './copy.ts';
import { useRunDetail } from './useSync.ts';

const copy = syncMessages.changed;

/** What one run did, or would have done: its counts, and each provider with its reason. */
export function RunDetail({ id }: { id: number }) {
  const { data, error, isFetching, refetch } = useRunDetail(id);
  if (error !== null)
    return <LoadFailure error={error} fallback={syncMessages.detailFailed} onRetry={() => void refetch()} />;
  if (data === undefined) return <output>{syncMessages.loading}</output>;
  const { run, rows } = data;
  return (
    <Panel>
      <h3>{copy.heading}</h3>
      {run.message === null ? null : <Message $isBad={run.outcome !== 'done'}>{run.message}</Message>}
      <Counts>{syncMessages.counts(run)}</Counts>
      {rows.length === 0 ? <p>{copy.none}</p> : <Rows rows={rows} isBusy={isFetching} />}
      {changedOf(run) > rows.length ? <Counts>{copy.first(syncRunRowsMax)}</Counts> : null}
    </Panel>
  );
}

function changedOf({ created, updated, deactivated, skipped }: SyncRun): number {
  return created + updated + deactivated + skipped;
}

/** By their place, which never changes: a feed may repeat a number, and a row may have none. */
function numbered(rows: readonly SyncRunRow[]): (SyncRunRow & { key: number })[] {
  return rows.map((row, key) => ({ ...row, key }));
}

function Rows({ rows, isBusy }: { rows: readonly SyncRunRow[]; isBusy: boolean }) {
  const { columns } = copy;
  return (
    <TableFrame label={copy.heading} isBusy={isBusy}>
      <Table>
        <thead>
          <tr>
            <th scope="col">{columns.change}</th>
            <th scope="col">{columns.number}</th>
            <th scope="col">{columns.name}</th>
            <th scope="col">{columns.detail}</th>
          </tr>
        </thead>
        <tbody>
          {numbered(rows).map(({ key, change, wordpressId, name, detail }) => (
            <tr key={key}>
              <td>{syncMessages.changes[change]}</td>
              <td>{wordpressId ?? adminCopy.none}</td>
              <Wide>{name ?? adminCopy.none}</Wide>
              <Wide>{detail ?? ''}</Wide>
            </tr>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  );
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
