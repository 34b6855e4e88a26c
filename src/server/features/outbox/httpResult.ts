import type { IncomingMessage } from 'node:http';
import { PrivateAddressError } from '#server/security/publicAddress.ts';
import type { DeliveredResult, FailedResult } from './types.ts';

const bodyBytesMax = 64 * 1024;

export interface HttpResponse {
  status: number;
  /** The part of the body that was read. */
  text: string;
  /** In seconds from now. */
  retryAfterSeconds: number | null;
}

/** Reads a response, and the first 64 KiB of its body. Throws the error that interrupts it. */
export async function readResponse(response: IncomingMessage, now: Date): Promise<HttpResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= bodyBytesMax) break;
  }
  response.destroy();
  return {
    ...readHead(response, now),
    text: Buffer.concat(chunks).subarray(0, bodyBytesMax).toString('utf8'),
  };
}

/** The response without its body. */
export function readHead(response: IncomingMessage, now: Date): HttpResponse {
  const { statusCode: status = 0, headers } = response;
  return { status, text: '', retryAfterSeconds: parseRetryAfter(headers['retry-after'], now) };
}

const dayS = 86_400;

/** Seconds or a date (RFC 9110 section 10.2.3), at most a day. Null for anything else and for the past. */
function parseRetryAfter(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000;
  return Number.isNaN(seconds) || seconds <= 0 ? null : Math.min(seconds, dayS);
}

/** Any other 4xx status is permanent. */
const temporary = new Set([408, 409, 425, 429]);

/**
 * The result of a response: 2xx is delivered, 410 disables the recipient, a redirect is a failure. `who` starts the
 * sentence: 'The CRM'.
 */
export function resultOf(who: string, response: HttpResponse): DeliveredResult | FailedResult {
  const { status, text: answer } = response;
  return status >= 200 && status < 300
    ? { outcome: 'delivered', status: `HTTP ${status}`, answer }
    : failureOf(who, response);
}

export function failureOf(who: string, { status, text, retryAfterSeconds }: HttpResponse): FailedResult {
  const isRedirect = status >= 300 && status < 400;
  return {
    outcome: 'failed',
    permanent: status >= 400 && status < 500 && !temporary.has(status),
    status: `HTTP ${status}`,
    answer: text,
    reason: isRedirect
      ? `${who} returned a redirect (HTTP ${status}), which isn’t followed.`
      : `${who} returned HTTP ${status}.`,
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
    ...(status === 410 ? { isGone: true } : {}),
  };
}

/**
 * A failure before the response was complete: temporary, but permanent for an address that must never be requested.
 * Rethrows the error of an attempt that was aborted.
 */
export function networkFailureOf(who: string, error: unknown, signal: AbortSignal): FailedResult {
  if (signal.aborted || !(error instanceof Error)) throw error;
  const failed = { outcome: 'failed', permanent: false, status: null, answer: null } as const;
  if (error instanceof PrivateAddressError)
    return { ...failed, permanent: true, reason: `${who} has a private address, so no request was sent.` };
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return { ...failed, reason: `${who} couldn’t be reached, or the connection dropped${code}.` };
}
