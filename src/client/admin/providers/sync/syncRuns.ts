import type { SyncRun } from '#shared/admin/sync.ts';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { reportOutcome, withReport } from '#client/admin/kit/reports.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import { syncMessages } from './copy.ts';

const stoppedOutcomes: readonly SyncRun['outcome'][] = ['refused', 'failed'];

/** The newest full run from WordPress, without previews; null if there is none. `runs` are newest first. */
export function lastFullRun(runs: readonly SyncRun[]): SyncRun | null {
  return (
    runs.find(({ source, kind, dryRun }) => source === 'wordpress' && kind === 'full' && !dryRun) ?? null
  );
}

/**
 * The run that the line above the list reports: the newest one. A full run that was refused or failed is reported until
 * another full run succeeds. Null if there is no run.
 */
export function runToReport(runs: readonly SyncRun[]): SyncRun | null {
  const full = lastFullRun(runs);
  if (full !== null && stoppedOutcomes.includes(full.outcome)) return full;
  return runs.find(({ source, dryRun }) => source === 'wordpress' && !dryRun) ?? null;
}

/** The newest runs, loaded each time they are shown: colleagues and the schedule start runs, too. */
export function useRuns() {
  return adminApi.sync.lastRuns.useQuery(undefined, {
    refetchOnMount: 'always',
    select: ({ runs }) => runs,
  });
}

/** Runs a sync or a preview. Its run is in the list afterwards, also after a failure. */
export function useRunSync(onRun?: (runId: number) => void) {
  return adminApi.sync.run.useMutation(
    withReport({
      failed: adminMessages.sync.failed,
      onDone: (outcome, input) => {
        const texts =
          input?.dryRun === true
            ? { done: syncMessages.previewDone, failed: syncMessages.previewFailed }
            : adminMessages.sync;
        // What the run says about itself is in the line of the last sync.
        reportOutcome(outcome, texts);
        if (outcome.run !== null) onRun?.(outcome.run.id);
      },
    }),
  );
}
