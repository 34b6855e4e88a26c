import { type ReactNode, useState } from 'react';
import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { useNow } from '#client/admin/kit/RelativeTime.tsx';
import { MutedFigures, Row } from '#client/admin/kit/layout.tsx';
import { instantHint, relativeText } from '#client/admin/kit/times.ts';
import type { SyncRun } from '#shared/admin/sync.ts';
import { useHasWordPress } from '../useProviders.ts';
import { RunOutcome, SyncDialog } from './SyncDialog.tsx';
import { syncMessages } from './copy.ts';
import { runToReport, useRuns } from './syncRuns.ts';

/**
 * The result of the last sync from WordPress, or of a full sync that failed since, and a button to the details.
 * `children`: buttons before it.
 */
export function SyncStatus({ canChange, children }: { canChange: boolean; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  const { data } = useRuns();
  const hasWordPress = useHasWordPress();
  const last = runToReport(data ?? []);
  return (
    <Line aria-label={syncMessages.status}>
      {data === undefined || hasWordPress === null ? (
        <span />
      ) : last === null ? (
        <p>{hasWordPress ? syncMessages.never : syncMessages.notConfigured}</p>
      ) : (
        <LastRun run={last} />
      )}
      <Row>
        {children}
        <ActionButton onClick={() => setIsOpen(true)}>{syncMessages.open}</ActionButton>
      </Row>
      {isOpen ? <SyncDialog canChange={canChange} onClose={() => setIsOpen(false)} /> : null}
    </Line>
  );
}

function LastRun({ run }: { run: SyncRun }) {
  const now = useNow();
  return (
    <Text>
      <span>
        {syncMessages.last}{' '}
        <time dateTime={run.startedAt} title={instantHint(run.startedAt)}>
          {relativeText(run.startedAt, now)}
        </time>
      </span>
      <RunOutcome run={run} />
      {run.outcome === 'done' || run.message === null ? (
        <MutedFigures>{syncMessages.counts(run)}</MutedFigures>
      ) : null}
      {run.message === null ? null : <MutedFigures>{run.message}</MutedFigures>}
    </Text>
  );
}

const Line = styled.section`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0.75rem 1.5rem;
  margin-block-end: 1.25rem;
`;

const Text = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.5rem 0.75rem;
  min-inline-size: 0;
  overflow-wrap: anywhere;
`;
