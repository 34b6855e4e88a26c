import { noDataMessage, shownMessage } from '#client/api/apiError.ts';
import { toApiError } from '#client/api/trpc.ts';
import { showToast } from '#client/ui/Toast.tsx';
import { adminCopy } from '#shared/admin/copy.ts';

/** The toast of a success; `undo` adds a button that reverses it, `about` a line that says whom it is about. */
export function reportSuccess(description: string, undo?: () => void, about?: string): void {
  showToast({
    title: adminCopy.success,
    description,
    about,
    tone: 'success',
    ...(undo === undefined ? {} : { action: { label: adminCopy.undo, onPress: undo, isUndo: true } }),
  });
}

/** The toast of a success in one line. */
export function reportDone(title: string): void {
  showToast({ title, tone: 'success' });
}

/** The toast of a failure: its message, else the fallback. */
export function reportFailure(error: unknown, fallback: string): void {
  reportProblem(adminCopy.error, failureText(error, fallback));
}

/** The toast of a failure with its own title. */
export function reportProblem(title: string, description: string): void {
  showToast({ title, description, tone: 'destructive' });
}

/**
 * What a failure says: the server's sentence, else the error's message, such as '502: Bad Gateway'. Without a response,
 * the message is the browser's and differs between browsers: the fallback says what failed.
 */
export function failureText(error: unknown, fallback: string): string {
  const { userMessage, status, message } = toApiError(error);
  if (userMessage !== null) return shownMessage(userMessage);
  return status === null && message !== noDataMessage ? fallback : shownMessage(message) || fallback;
}

type Outcome = { success: true } | { success: false; error?: string };

interface OutcomeTexts {
  done: string;
  failed: string;
}

/**
 * The toast of a sync or a retry: its request also succeeds when the other system failed. A proxy, or a server of
 * another version, may leave out the error.
 */
export function reportOutcome(outcome: Outcome, texts: OutcomeTexts): void {
  if (outcome.success) reportSuccess(texts.done);
  else reportProblem(adminCopy.error, shownMessage(outcome.error || texts.failed));
}

interface Report<Output, Input> {
  /** The toast of a success; left out, there is none. */
  done?: string | ((output: Output, input: Input) => string);
  /** Whom or what the toast of a success is about. */
  about?: (output: Output, input: Input) => string;
  /** The action of the toast's Undo button; null: there is nothing to undo. */
  undo?: (output: Output, input: Input) => (() => void) | null;
  /** The toast of a failure that the server does not explain; left out, the caller reports failures. */
  failed?: string;
  /** The toasts have a title only. */
  isOneLine?: boolean;
  /** Runs before the reload. */
  onDone?: ((output: Output, input: Input) => void) | undefined;
}

interface MutationReports<Output, Input> {
  onSuccess: (output: Output, input: Input) => void;
  onError: (error: unknown) => void;
}

/** Options of a mutation that reports its result in a toast. */
export function withReport<Output, Input>({
  done,
  about,
  undo,
  failed,
  isOneLine = false,
  onDone,
}: Report<Output, Input>): MutationReports<Output, Input> {
  return {
    onSuccess: (output, input) => {
      onDone?.(output, input);
      if (done === undefined) return;
      const text = typeof done === 'string' ? done : done(output, input);
      if (isOneLine) reportDone(text);
      else reportSuccess(text, undo?.(output, input) ?? undefined, about?.(output, input));
    },
    onError: (error) => {
      if (failed === undefined) return;
      if (isOneLine) showToast({ title: failureText(error, failed), tone: 'destructive' });
      else reportFailure(error, failed);
    },
  };
}

/** Options of a mutation whose output says whether it succeeded. */
export function withOutcome(texts: OutcomeTexts): MutationReports<Outcome, unknown> {
  return withReport({ failed: texts.failed, onDone: (outcome) => reportOutcome(outcome, texts) });
}
