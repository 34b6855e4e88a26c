import { retrySeconds } from '#shared/admin/deliveries.ts';
import type { DeliveryChange } from './deliveryStates.ts';
import type { DeliveryResult } from './types.ts';

/** The longest wait that a recipient can request. */
const retryAfterSecondsMax = 86_400;
/**
 * The largest part of a wait that is added or subtracted at random, so that deliveries that failed together are not
 * retried together.
 */
const jitter = 0.1;

interface Attempted {
  /** Attempts of this round, including the one that just ended. */
  attempts: number;
  now: Date;
  /** From 0 up to 1. */
  random?: () => number;
}

function withJitter(seconds: number, random: () => number): number {
  return seconds * (1 + jitter * (2 * random() - 1));
}

/** Seconds until the next attempt, longer if the recipient requests it; null after the last attempt. */
function backoffSeconds({ attempts, random = Math.random }: Attempted, retryAfter = 0): number | null {
  const seconds = retrySeconds[attempts];
  if (seconds === undefined) return null;
  return Math.max(withJitter(seconds, random), Math.min(retryAfter, retryAfterSecondsMax));
}

function queuedFor(seconds: number, { now }: Attempted, reason: string): DeliveryChange {
  return { state: 'queued', reason, nextAttemptAt: new Date(now.getTime() + seconds * 1000) };
}

/**
 * The change that a result leads to: for a failure that may be retried, the time of the retry, which
 * `changeAttempted` (deliveryStates.ts) stores. Pure.
 */
export function changeAfter(result: DeliveryResult, attempted: Attempted): DeliveryChange {
  const { now: finishedAt, random = Math.random } = attempted;
  if (result.outcome === 'delivered') return { state: 'delivered', finishedAt };
  const { reason } = result;
  if (result.outcome === 'cancelled') return { state: 'cancelled', reason, finishedAt };
  if (result.outcome === 'held') {
    const { holdCause, nextAttemptAt } = result;
    return { state: 'held', reason, holdCause, nextAttemptAt };
  }
  if (result.outcome === 'postponed')
    return queuedFor(withJitter(result.retryAfterSeconds, random), attempted, reason);
  // Until its channel has marked the address, which sets the time.
  if (result.isUnreachable === true)
    return { state: 'held', reason, holdCause: 'unreachable', nextAttemptAt: finishedAt };
  const seconds = result.permanent ? null : backoffSeconds(attempted, result.retryAfterSeconds);
  return seconds === null ? { state: 'failed', reason, finishedAt } : queuedFor(seconds, attempted, reason);
}
