import { toApiError } from '#client/api/trpc.ts';
import { showToast } from '#client/ui/Toast.tsx';
import { adminCopy } from '#shared/admin/copy.ts';

type Undo = () => void;

/** Says that something was done; with a way back where there is one. */
export function reportSuccess(description: string, undo?: Undo): void {
  showToast({
    title: adminCopy.success,
    description,
    tone: 'success',
    ...(undo === undefined ? {} : { action: { label: adminCopy.undo, onPress: undo } }),
  });
}

/** Says what the server said of a failure, else the action's own sentence. */
export function reportFailure(error: unknown, fallback: string): void {
  showToast({ title: adminCopy.error, description: failureText(error, fallback), tone: 'destructive' });
}

export function failureText(error: unknown, fallback: string): string {
  return toApiError(error).userMessage ?? fallback;
}

/** Sync and retries answer well even where the far side failed. */
export function reportOutcome(
  outcome: { success: true } | { success: false; error: string },
  texts: { done: string; failed: string },
): void {
  if (outcome.success) reportSuccess(texts.done);
  else
    showToast({
      title: adminCopy.error,
      description: outcome.error === '' ? texts.failed : outcome.error,
      tone: 'destructive',
    });
}
