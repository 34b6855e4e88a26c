import { type DeliveryChannel, retrySeconds } from '#shared/admin/deliveries.ts';
import { hourMs } from '#shared/formats/time.ts';
import type { DeliveryChange } from './deliveryStates.ts';
import type { DeliveryResult, FailedResult } from './types.ts';

const hourS = hourMs / 1000;
/** The longest wait that a recipient can request. */
const retryAfterSecondsMax = 86_400;
/** The largest random part of a wait, so that deliveries that failed together are not retried together. */
const jitter = 0.1;

interface Attempted {
  channel: DeliveryChannel;
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

/** How often a delivery is tried that a refusal holds. */
export const heldRetryMs = hourMs;

/** When a delivery is tried that a refusal holds now. */
export function heldRetryAt(now: Date): Date {
  return new Date(now.getTime() + heldRetryMs);
}

/**
 * Whether a delivery is held, not failed, after its last attempt. A provider and the CRM must get each lead despite a
 * refusal that may end. An email to the person is late by then, and is kept only if the fault is ours.
 */
export function isHeldAtLast(channel: DeliveryChannel, { refusal }: Pick<FailedResult, 'refusal'>): boolean {
  if (channel === 'webhook') return false;
  return channel === 'lead-email' ? refusal === 'ours' : refusal !== 'recipient';
}

function changeAfterFailure(result: FailedResult, attempted: Attempted): DeliveryChange {
  const { channel, now } = attempted;
  const { reason, refusal } = result;
  const failed = { state: 'failed', reason, finishedAt: now } as const;
  // Until its channel has marked the address, which sets the time.
  if (result.isUnreachable === true)
    return { state: 'held', reason, holdCause: 'unreachable', nextAttemptAt: now };
  if (refusal === 'recipient') return failed;
  const held = { state: 'held', reason, holdCause: refusal, nextAttemptAt: heldRetryAt(now) } as const;
  // Only the key's owner waits: a schedule would repeat a wrong key for each of its leads.
  if (result.isProviderKey === true) return held;
  const seconds = backoffSeconds(attempted, result.retryAfterSeconds);
  if (seconds !== null)
    return queuedFor(result.pausesChannel === true ? Math.min(seconds, hourS) : seconds, attempted, reason);
  return isHeldAtLast(channel, result) ? held : failed;
}

/** The change that a result leads to, with the time of a retry. `changeAttempted` stores it. Pure. */
export function changeAfter(result: DeliveryResult, attempted: Attempted): DeliveryChange {
  const { now: finishedAt, random = Math.random } = attempted;
  if (result.outcome === 'delivered') return { state: 'delivered', finishedAt };
  if (result.outcome === 'failed') return changeAfterFailure(result, attempted);
  const { reason } = result;
  if (result.outcome === 'cancelled') return { state: 'cancelled', reason, finishedAt };
  if (result.outcome === 'postponed')
    return queuedFor(withJitter(result.retryAfterSeconds, random), attempted, reason);
  const { holdCause, nextAttemptAt } = result;
  return { state: 'held', reason, holdCause, nextAttemptAt };
}
