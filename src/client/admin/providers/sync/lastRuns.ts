import type { SyncRun } from '#shared/admin/sync.ts';

const stoppedOutcomes: readonly SyncRun['outcome'][] = ['refused', 'failed'];

/** The newest run of everything in WordPress, previews left out; null where there was none. `runs` are newest first. */
export function lastFullRun(runs: readonly SyncRun[]): SyncRun | null {
  return (
    runs.find(({ source, kind, dryRun }) => source === 'wordpress' && kind === 'full' && !dryRun) ?? null
  );
}

/**
 * The run that the line above the list tells of: the newest, but as long as the last one of everything didn't go through that one, whatever
 * smaller ones have been done since. Null where there was none.
 */
export function runToTell(runs: readonly SyncRun[]): SyncRun | null {
  const full = lastFullRun(runs);
  if (full !== null && stoppedOutcomes.includes(full.outcome)) return full;
  return runs.find(({ source, dryRun }) => source === 'wordpress' && !dryRun) ?? null;
}
