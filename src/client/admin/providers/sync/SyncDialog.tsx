import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { Instant } from '#client/admin/kit/RelativeTime.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { LongCell, Muted, MutedFigures, Row } from '#client/admin/kit/layout.tsx';
import { instantText } from '#client/admin/kit/times.ts';
import { token } from '#client/theme/tokens.ts';
import { Badge, type BadgeTone } from '#client/ui/Badge.tsx';
import { Button } from '#client/ui/Button.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { adminCopy } from '#shared/admin/copy.ts';
import { type SyncOutcome, type SyncRun, type SyncRunRow, syncRunRowsMax } from '#shared/admin/sync.ts';
import { syncMessages } from './copy.ts';
import { lastFullRun, useRuns, useRunSync } from './syncRuns.ts';

/** Past runs and their results, and the buttons for a preview and a full sync. */
export function SyncDialog({ canChange, onClose }: { canChange: boolean; onClose: () => void }) {
  const { data, error, refetch } = useRuns();
  const [chosen, setChosen] = useState<number | null>(null);
  return (
    <Dialog open onClose={onClose} title={syncMessages.title}>
      <Panel>
        <p>{syncMessages.intro}</p>
        {canChange ? <Actions runs={data ?? []} onRun={setChosen} /> : null}
        <LoadFailure error={error} fallback={syncMessages.failed} onRetry={() => void refetch()} />
        {chosen === null ? null : <RunDetail id={chosen} />}
        {data === undefined ? (
          error === null ? (
            <output>{syncMessages.loading}</output>
          ) : null
        ) : (
          <Runs runs={data} chosen={chosen} onChoose={setChosen} />
        )}
      </Panel>
    </Dialog>
  );
}

/** Whether the guard stopped the newest full run: only then may staff run it past the guard. */
function wasStopped(runs: readonly SyncRun[]): boolean {
  return lastFullRun(runs)?.outcome === 'refused';
}

function Actions({ runs, onRun }: { runs: readonly SyncRun[]; onRun: (id: number) => void }) {
  const { mutate, isPending } = useRunSync(onRun);
  const stopped = wasStopped(runs);
  const run = (options: { dryRun: boolean; force: boolean }): void => {
    if (!isPending) mutate({ kind: 'full', ...options });
  };
  return (
    <div>
      <Row $gap="0.75rem">
        {/* Not disabled during a run: it would lose the focus. */}
        <ActionButton aria-disabled={isPending} onClick={() => run({ dryRun: true, force: false })}>
          {syncMessages.dryRun}
        </ActionButton>
        <Button size="small" aria-disabled={isPending} onClick={() => run({ dryRun: false, force: false })}>
          {syncMessages.full}
        </Button>
        {stopped ? (
          <ActionButton aria-disabled={isPending} onClick={() => run({ dryRun: false, force: true })}>
            {syncMessages.force}
          </ActionButton>
        ) : null}
        <output>{isPending ? syncMessages.busy : ''}</output>
      </Row>
      {stopped ? <Hint>{syncMessages.forceHint}</Hint> : null}
    </div>
  );
}

interface RunsProps {
  runs: readonly SyncRun[];
  chosen: number | null;
  onChoose: (id: number) => void;
}

function Runs({ runs, chosen, onChoose }: RunsProps) {
  return (
    <DataTable
      caption={syncMessages.runs}
      columns={runColumns(chosen, onChoose)}
      rows={runs}
      empty={<p>{syncMessages.none}</p>}
    />
  );
}

function runColumns(chosen: number | null, onChoose: (id: number) => void): Column<SyncRun>[] {
  const headers = syncMessages.runColumns;
  return [
    {
      key: 'at',
      header: headers.at,
      cell: (run) => (
        <>
          <Instant iso={run.startedAt} />
          <Muted as="div">{syncMessages.by(run.startedBy)}</Muted>
        </>
      ),
    },
    {
      key: 'what',
      header: headers.what,
      cell: (run) => syncMessages.sourceAndKind(run.source, run.kind),
    },
    { key: 'outcome', header: headers.outcome, cell: (run) => <RunOutcome run={run} /> },
    {
      key: 'show',
      header: headers.show,
      cell: (run) => (
        <ActionButton
          aria-pressed={run.id === chosen}
          aria-label={syncMessages.showLabel(instantText(run.startedAt))}
          onClick={() => onChoose(run.id)}
        >
          {syncMessages.show}
        </ActionButton>
      ),
    },
  ];
}

const Panel = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 1.25rem;
  line-height: 1.45;
`;

const Hint = styled.p`
  margin-block-start: 0.75rem;
  color: ${token.muted};
`;

const tones: Record<SyncOutcome, BadgeTone> = {
  running: 'brand',
  done: 'success',
  refused: 'warning',
  failed: 'danger',
  interrupted: 'warning',
};

/** How a run ended, and whether it was only a preview. */
export function RunOutcome({ run: { outcome, dryRun } }: { run: Pick<SyncRun, 'outcome' | 'dryRun'> }) {
  return (
    <>
      <Badge tone={tones[outcome]}>{syncMessages.outcomes[outcome]}</Badge>
      {dryRun ? <Badge>{syncMessages.preview}</Badge> : null}
    </>
  );
}

const changedCopy = syncMessages.changed;

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
    <Detail>
      <h3>{changedCopy.heading}</h3>
      {run.message === null ? null : <Message $isBad={run.outcome !== 'done'}>{run.message}</Message>}
      <MutedFigures as="p">{syncMessages.counts(run)}</MutedFigures>
      <DataTable
        caption={changedCopy.heading}
        columns={detailColumns}
        rows={rows.map((row, index): NumberedRow => ({ ...row, id: index }))}
        isBusy={isFetching}
        empty={<p>{changedCopy.none}</p>}
      />
      {findChanged(run) > rows.length ? (
        <MutedFigures as="p">{changedCopy.first(syncRunRowsMax)}</MutedFigures>
      ) : null}
    </Detail>
  );
}

/** The number of rows of a run that stored all of them. */
function findChanged({ created, updated, deactivated, skipped, warned }: SyncRun): number {
  return created + updated + deactivated + skipped + warned;
}

const Detail = styled.div`
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

interface NumberedRow extends SyncRunRow {
  /** Its position: a feed may repeat a WordPress number, and a row may have none. */
  id: number;
}

const detailColumns: readonly Column<NumberedRow>[] = [
  { key: 'change', header: changedCopy.columns.change, cell: ({ change }) => syncMessages.changes[change] },
  {
    key: 'number',
    header: changedCopy.columns.number,
    cell: ({ wordpressId }) => wordpressId ?? adminCopy.none,
  },
  {
    key: 'name',
    header: changedCopy.columns.name,
    Cell: LongCell,
    cell: ({ name }) => name ?? adminCopy.none,
  },
  { key: 'detail', header: changedCopy.columns.detail, Cell: LongCell, cell: ({ detail }) => detail ?? '' },
];
