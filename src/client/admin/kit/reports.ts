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

interface Report<Output, Input> {
  /** The toast of a success; left out, there is none. */
  done?: string | ((output: Output, input: Input) => string);
  /** The toast's button that takes it back; null: there is nothing to take back. */
  undo?: (output: Output, input: Input) => (() => void) | null;
  /** The toast of a failure that the server does not explain; left out, the caller reports failures. */
  failed?: string;
  /** Runs before anything is loaded again. */
  onDone?: (output: Output, input: Input) => void;
  /** Loads again what the change may have touched, also after a failure. The mutation is pending until then. */
  refresh: () => Promise<unknown>;
}

interface ReportOptions<Output, Input> {
  onSuccess: (output: Output, input: Input) => void;
  onError: (error: unknown) => void;
  onSettled: () => Promise<unknown>;
}

/** Options of a mutation that reports its result in a toast and loads again what it changed. */
export function withReport<Output, Input>({
  done,
  undo,
  failed,
  onDone,
  refresh,
}: Report<Output, Input>): ReportOptions<Output, Input> {
  return {
    onSuccess: (output, input) => {
      onDone?.(output, input);
      if (done === undefined) return;
      const text = typeof done === 'string' ? done : done(output, input);
      reportSuccess(text, undo?.(output, input) ?? undefined);
    },
    onError: (error) => (failed === undefined ? undefined : reportFailure(error, failed)),
    onSettled: refresh,
  };
}
