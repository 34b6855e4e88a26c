import { noDataMessage } from '#client/api/apiError.ts';
import { toApiError } from '#client/api/trpc.ts';
import type { SubmitOutcome } from './formSession.ts';

/** How long a submit waits for a response. Sending again is safe, because the key is the same. */
const createTimeoutMs = 30_000;

interface CallOptions {
  context: { idempotencyKey: string };
  signal: AbortSignal;
}

/**
 * Sends one form over tRPC and turns every error into an outcome. Part of the code that loads when a form is first
 * touched.
 */
export async function sendForm<Created>(
  idempotencyKey: string,
  call: (options: CallOptions) => Promise<Created>,
): Promise<SubmitOutcome<Created>> {
  try {
    const options = { context: { idempotencyKey }, signal: AbortSignal.timeout(createTimeoutMs) };
    return { kind: 'created', created: await call(options) };
  } catch (error) {
    const { status, message, userMessage, fields } = toApiError(error);
    if (status !== null) return { kind: 'refused', message: userMessage, fields };
    return message === noDataMessage ? { kind: 'refused', message, fields: {} } : { kind: 'offline' };
  }
}
