import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { RefusalClass } from '#shared/admin/deliveries.ts';
import { PrivateAddressError } from '#server/security/guardedRequest.ts';
import { heldRetryAt } from './backoff.ts';
import { classifyHttp, type HttpOwner } from './refusals.ts';
import type { DeliveredResult, DeliveryResult, FailedResult } from './types.ts';
import { Webhook } from 'standardwebhooks';

const bodyBytesMax = 64 * 1024;
/** The status decides the result, so a slower body is not read. */
const bodyMaxMs = 3_000;

export interface HttpResponse {
  status: number;
  /** The part of the body that was read. */
  text: string;
  /** In seconds from now. */
  retryAfterSeconds: number | null;
}

/** Reads a response, and the first 64 KiB of its body. Throws the error that interrupts it. */
async function readResponse(response: IncomingMessage, now: Date): Promise<HttpResponse> {
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

/** Reads a response. A cut, slow or endless body is no failure: the status counts, with the text that came first. */
export async function readLeniently(response: IncomingMessage, now: Date): Promise<HttpResponse> {
  const ended = new AbortController();
  const { signal } = ended;
  const late = delay(bodyMaxMs, null, { signal }).catch(() => null);
  const read = await Promise.race([readResponse(response, now).catch(() => null), late]);
  ended.abort();
  response.destroy();
  return read ?? readHead(response, now);
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

export function isSuccess({ status }: Pick<HttpResponse, 'status'>): boolean {
  return status >= 200 && status < 300;
}

/** Who is asked: the subject of sentences, such as 'The CRM', and whose address and key the request uses. */
export interface HttpReceiver {
  who: string;
  owner: HttpOwner;
}

/** The result of a response: 2xx is delivered, 410 disables an endpoint, a redirect is a failure. */
export function toResult(receiver: HttpReceiver, response: HttpResponse): DeliveredResult | FailedResult {
  return isSuccess(response)
    ? { outcome: 'delivered', status: `HTTP ${response.status}`, answer: response.text }
    : toFailure(receiver, response);
}

/** What staff can do about a refusal of ours. About a lead, the CRM's own sentence says it. */
function buildAdvice(refusal: RefusalClass, { owner }: HttpReceiver, status: number): string {
  if (refusal !== 'ours') return '';
  if (status !== 401 && status !== 403) return ' Check its address and settings.';
  return owner === 'provider'
    ? ' Check the provider’s CRM key.'
    : ' Check the key that the CRM expects of this installation.';
}

/** The result of a response that isn't 2xx. */
export function toFailure(receiver: HttpReceiver, response: HttpResponse): FailedResult {
  const { status, text, retryAfterSeconds } = response;
  const isRedirect = status >= 300 && status < 400;
  const refusal = classifyHttp(status, receiver.owner);
  const sentence = isRedirect
    ? `${receiver.who} returned a redirect (HTTP ${status}), which isn’t followed.`
    : `${receiver.who} returned HTTP ${status}.`;
  return {
    outcome: 'failed',
    refusal,
    status: `HTTP ${status}`,
    answer: text,
    reason: `${sentence}${buildAdvice(refusal, receiver, status)}`,
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
    ...(status === 410 ? { isGone: true } : {}),
    ...(receiver.owner === 'provider' && (status === 401 || status === 403) ? { isProviderKey: true } : {}),
  };
}

/**
 * The result of an error before a response: retried later. An address that must never be requested holds the delivery
 * until it changes; an integrator's endpoint with one fails. Rethrows the error of an attempt that was aborted.
 */
export function toNetworkFailure(
  { who, owner }: HttpReceiver,
  error: unknown,
  { signal, now }: { signal: AbortSignal; now: Date },
): DeliveryResult {
  if (signal.aborted || !(error instanceof Error)) throw error;
  const failed = { outcome: 'failed', refusal: 'later', status: null, answer: null } as const;
  if (error instanceof PrivateAddressError) {
    const reason = `${who} has a private address, so no request was sent.`;
    return owner === 'endpoint'
      ? { ...failed, refusal: 'recipient', reason }
      : { outcome: 'held', holdCause: 'ours', reason, nextAttemptAt: heldRetryAt(now) };
  }
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return { ...failed, reason: `${who} couldn’t be reached, or the connection dropped${code}.` };
}

interface ToSign {
  /** `webhook-id`, the same for every attempt. */
  id: string;
  body: string;
  /** `whsec_…`; one signature for each. */
  secrets: readonly string[];
  /** Receivers reject a message that is older than five minutes, so each attempt gets its own signature. */
  now: Date;
}

/** The headers of the Standard Webhooks scheme: https://www.standardwebhooks.com. */
export function signWebhook({ id, body, secrets, now }: ToSign): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  };
}
