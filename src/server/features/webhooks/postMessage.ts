import type { IncomingMessage } from 'node:http';
import { guardedRequest } from '#server/security/guardedRequest.ts';
import { PrivateAddressError } from '#server/security/publicAddress.ts';
import { judgeAnswer, type Judgement } from './judgeResponse.ts';
import { keptAnswer } from './storedResponse.ts';

export const attemptLimitMs = 15_000;
const readBytesMax = 4096;

export interface MessageToPost {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Development and tests post to this machine itself. */
  allowLoopback: boolean;
  /** Ends the try early, as a failure. */
  signal: AbortSignal;
  now: Date;
  /** Less in tests. */
  limitMs?: number;
}

/** How a try ended. */
export interface Attempt extends Judgement {
  /** 'HTTP 200'; null when nothing was answered. */
  status: string | null;
  answer: string | null;
  durationMs: number;
  /** Whether it ended for want of an answer. */
  late: boolean;
}

/** Posts a message once, within fifteen seconds. Never throws: what goes wrong is told in the attempt, without contact details. */
export async function postMessage(message: MessageToPost): Promise<Attempt> {
  const { url, headers, body, allowLoopback, now, limitMs = attemptLimitMs } = message;
  const late = AbortSignal.timeout(limitMs);
  const signal = AbortSignal.any([late, message.signal]);
  const startedMs = performance.now();
  const durationMs = (): number => Math.round(performance.now() - startedMs);
  try {
    const length = { 'content-length': String(Buffer.byteLength(body)) };
    const response = await guardedRequest(new URL(url), {
      signal,
      body,
      headers: { ...headers, ...length },
      allowLoopback,
    });
    const status = response.statusCode ?? 0;
    const answer = keptAnswer(await readStart(response), body);
    return {
      ...judgeAnswer(status, response.headers, now),
      status: `HTTP ${status}`,
      answer,
      durationMs: durationMs(),
      late: false,
    };
  } catch (error) {
    const reason = late.aborted ? `No answer within ${limitMs / 1000} seconds.` : failureOf(error);
    const permanent = error instanceof PrivateAddressError;
    return {
      ...{ delivered: false, reason, permanent, gone: false, retryAfterSeconds: null },
      ...{ status: null, answer: null, durationMs: durationMs(), late: late.aborted },
    };
  }
}

/** A body's beginning. The status counts, so one that breaks off or drags on is taken as far as it came. */
async function readStart(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= readBytesMax) break;
    }
  } catch {
    // It broke off, or the time was over.
  }
  response.destroy();
  return Buffer.concat(chunks).subarray(0, readBytesMax);
}

function failureOf(error: unknown): string {
  if (error instanceof PrivateAddressError) return 'The endpoint’s address is not public.';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code === '' ? 'The connection failed.' : `The connection failed (${code}).`;
}
