import { syncMessages } from './copy.ts';
import type { SyncRunOutcome } from '#shared/admin/sync.ts';
import { reportOutcome } from '#client/admin/kit/reports.ts';

/** Shows how a sync ended. A sync that skipped every provider is reported as a failure. */
export function reportSync(outcome: SyncRunOutcome, texts: { done: string; failed: string }): void {
  const isAllSkipped = outcome.success && outcome.run.read > 0 && outcome.run.skipped === outcome.run.read;
  reportOutcome(
    isAllSkipped ? { success: false, error: syncMessages.allSkipped(outcome.run.read) } : outcome,
    texts,
  );
}
