import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { reportOutcome, withReport } from '#client/admin/kit/reports.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import { syncMessages } from './copy.ts';

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
