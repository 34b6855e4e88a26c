import type { IncomingMessage } from 'node:http';
import { BodyTooLargeError, readBody } from '#server/security/guardedRequest.ts';
import { PrivateAddressError } from '#server/security/publicAddress.ts';
import type { DeliveryResult } from '../outbox/channel.ts';

const answerBytesMax = 64 * 1024;

export interface HttpAnswer {
  status: number;
  text: string;
  /** In seconds from now. */
  retryAfterSeconds: number | null;
}

/** Reads an answer whole; of one above 64 KiB nothing but the head, which tells how it went. Throws whatever cuts it off. */
export async function readAnswer(response: IncomingMessage, now: Date): Promise<HttpAnswer> {
  const bytes = await readBody(response, answerBytesMax).catch((error: unknown) => {
    if (error instanceof BodyTooLargeError) return Buffer.alloc(0);
    throw error;
  });
  return {
    status: response.statusCode ?? 0,
    text: bytes.toString('utf8'),
    retryAfterSeconds: retryAfter(response.headers['retry-after'], now),
  };
}

/** Seconds, or a date (RFC 9110 section 10.2.3). Null where it says neither. */
function retryAfter(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  if (/^\d+$/.test(value.trim())) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, (at - now.getTime()) / 1000);
}

/** These 4xx may pass by themselves; any other would be answered the same way again. */
const passing = new Set([408, 409, 425, 429]);

/** A failure as its status tells it. `who` begins the sentence: 'The CRM'. */
export function failureOf(
  who: string,
  { status, text, retryAfterSeconds }: HttpAnswer,
): Extract<DeliveryResult, { outcome: 'failed' }> {
  const redirects = status >= 300 && status < 400;
  return {
    outcome: 'failed',
    permanent: status >= 400 && status < 500 && !passing.has(status),
    status: `HTTP ${status}`,
    answer: text,
    reason: redirects
      ? `${who} answered with a redirect (${status}), which isn't followed.`
      : `${who} answered ${status}.`,
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
  };
}

/**
 * What went wrong before there was a whole answer, as a failure that may pass; one for good where the address may never be asked. Rethrows what
 * ends with the time for the try.
 */
export function troubleOf(
  who: string,
  error: unknown,
  signal: AbortSignal,
): Extract<DeliveryResult, { outcome: 'failed' }> {
  if (signal.aborted || !(error instanceof Error)) throw error;
  const failed = { outcome: 'failed', permanent: false, status: null, answer: null } as const;
  if (error instanceof PrivateAddressError)
    return { ...failed, permanent: true, reason: `${who} is at an address that must not be asked.` };
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return { ...failed, reason: `${who} could not be reached, or broke off${code}.` };
}
