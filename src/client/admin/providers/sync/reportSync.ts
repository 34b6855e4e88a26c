import { syncMessages } from './copy.ts';
import type { SyncRunOutcome } from '#shared/admin/sync.ts';
import { reportOutcome } from '#client/admin/kit/reports.ts';

/** Says how a sync ended. One that could use nothing of what it read has done nothing, however well it went. */
export function reportSync(outcome: SyncRunOutcome, texts: { done: string; failed: string }): void {
  const isAllSkipped = outcome.success && outcome.run.read > 0 && outcome.run.skipped === outcome.run.read;
  reportOutcome(
    isAllSkipped ? { success: false, error: syncMessages.allSkipped(outcome.run.read) } : outcome,
    texts,
  );
}
