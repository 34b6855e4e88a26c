import { TRPCClientError } from '@trpc/client';
import { noDataMessage, shownMessage } from '#client/api/apiError.ts';
import { toApiError } from '#client/api/trpc.ts';
import { logFailure } from '#client/browser/log.ts';
import type { SubmitOutcome } from './formSession.ts';

/** How long a submit waits for a response. Sending again is safe, because the key is the same. */
const createTimeoutMs = 30_000;

/** Sends a form over tRPC; turns errors into outcomes, logged without personal data. Loads at the first touch. */
export async function sendForm<Created>(
  idempotencyKey: string,
  call: (options: { context: { idempotencyKey: string }; signal: AbortSignal }) => Promise<Created>,
): Promise<SubmitOutcome<Created>> {
  try {
    const options = { context: { idempotencyKey }, signal: AbortSignal.timeout(createTimeoutMs) };
    return { kind: 'created', created: await call(options) };
  } catch (error) {
    const { status, message, userMessage, fields } = toApiError(error);
    const isEmpty = message === noDataMessage;
    if (status === null && !isEmpty && isWithoutResponse(error)) {
      logFailure(failedSubmit, 'no response');
      return { kind: 'offline' };
    }
    logFailure(failedSubmit, status === null ? 'unusable response' : String(status));
    const errorMessage = status !== null || isEmpty ? shownMessage(message) : null;
    return {
      kind: 'refused',
      message: userMessage === null ? null : shownMessage(userMessage),
      errorMessage,
      fields,
    };
  }
}

const failedSubmit = 'Failed to submit the form';

/** `fetch` throws a TypeError without a network, and a DOMException after the timeout. */
function isWithoutResponse(error: unknown): boolean {
  return (
    error instanceof TRPCClientError &&
    (error.cause instanceof TypeError || error.cause instanceof DOMException)
  );
}
