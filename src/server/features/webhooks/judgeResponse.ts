import type { IncomingHttpHeaders } from 'node:http';

/** What to make of an answer. */
export interface Judgement {
  delivered: boolean;
  /** A sentence when it failed. */
  reason: string | null;
  /** Trying again is of no use. */
  permanent: boolean;
  /** 410: the endpoint wants nothing any more. */
  gone: boolean;
  retryAfterSeconds: number | null;
}

/** Of the 4xx only these may pass by themselves. */
const passing = new Set([408, 409, 425, 429]);
const dayS = 86_400;

/** By its status alone, as Standard Webhooks has it: 2xx is delivered, 410 ends the endpoint, a redirect is a failure like any other. */
export function judgeAnswer(status: number, headers: IncomingHttpHeaders, now: Date): Judgement {
  const delivered = status >= 200 && status < 300;
  return {
    delivered,
    reason: delivered ? null : reasonOf(status),
    permanent: status >= 400 && status < 500 && !passing.has(status),
    gone: status === 410,
    retryAfterSeconds: delivered ? null : retryAfter(headers['retry-after'], now),
  };
}

function reasonOf(status: number): string {
  if (status === 410) return 'The endpoint answered 410 Gone: it wants nothing any more.';
  if (status >= 300 && status < 400)
    return `The endpoint redirects (HTTP ${status}); redirects aren’t followed.`;
  return `The endpoint answered HTTP ${status}.`;
}

/** RFC 9110 section 10.2.3: seconds or a date. A day at most. */
function retryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000;
  return Number.isNaN(seconds) || seconds <= 0 ? null : Math.min(seconds, dayS);
}
