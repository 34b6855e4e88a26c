import type { SyncRun } from '#shared/admin/sync.ts';

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
