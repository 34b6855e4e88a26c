import { retrySeconds } from '#shared/admin/deliveries.ts';
import type { DeliveryRow } from '#server/db/schema/index.ts';
import type { DeliveryResult } from './types.ts';

/** A delivery's state after an attempt. */
export type NextState = Pick<DeliveryRow, 'state' | 'nextAttemptAt' | 'reason' | 'finishedAt'>;

/** A recipient can't ask for a longer wait. */
const retryAfterSecondsMax = 86_400;
/** The largest part of a wait that is added or subtracted at random: deliveries that failed together don't come back together. */
const jitter = 0.1;

interface Attempted {
  /** Attempts of this round, including the one that has just ended. */
  attempts: number;
  now: Date;
  /** From 0 up to 1. */
  random?: () => number;
}

function withJitter(seconds: number, random: () => number): number {
  return seconds * (1 + jitter * (2 * random() - 1));
}

/** Seconds until the next attempt, longer if the recipient asks for it; null after the last one. */
function backoffSeconds({ attempts, random = Math.random }: Attempted, retryAfter = 0): number | null {
  const seconds = retrySeconds[attempts];
  if (seconds === undefined) return null;
  return Math.max(withJitter(seconds, random), Math.min(retryAfter, retryAfterSecondsMax));
}

function queuedFor(seconds: number, { now }: Attempted, reason: string): NextState {
  return {
    state: 'queued',
    reason,
    nextAttemptAt: new Date(now.getTime() + seconds * 1000),
    finishedAt: null,
  };
}

/** The state that a result leads to. Pure. */
export function nextState(result: DeliveryResult, attempted: Attempted): NextState {
  const finished = { nextAttemptAt: null, finishedAt: attempted.now };
  if (result.outcome === 'delivered') return { state: 'delivered', reason: null, ...finished };
  const { reason } = result;
  if (result.outcome === 'cancelled') return { state: 'cancelled', reason, ...finished };
  const { random = Math.random } = attempted;
  if (result.outcome === 'postponed')
    return queuedFor(withJitter(result.retryAfterSeconds, random), attempted, reason);
  const seconds = result.permanent ? null : backoffSeconds(attempted, result.retryAfterSeconds);
  return seconds === null ? { state: 'failed', reason, ...finished } : queuedFor(seconds, attempted, reason);
}
