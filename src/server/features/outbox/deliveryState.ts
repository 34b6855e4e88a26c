import { retrySeconds } from '#shared/admin/deliveries.ts';
import type { DeliveryRow } from '#server/db/schema/index.ts';
import type { DeliveryResult } from './channel.ts';

/** How a delivery stands after a try. */
export type Standing = Pick<DeliveryRow, 'state' | 'nextAttemptAt' | 'reason' | 'finishedAt'>;

/** Longer than this the far side can't put us off. */
const retryAfterSecondsMax = 86_400;
/** A part of the wait, at most, that it may be shorter or longer: those that failed together don't come back together. */
const jitter = 0.1;

interface Tried {
  /** Tries of this round, the one that has just ended among them. */
  attempts: number;
  now: Date;
  /** From 0 up to 1. */
  random?: () => number;
}

function spreadOf(seconds: number, random: () => number): number {
  return seconds * (1 + jitter * (2 * random() - 1));
}

function waitSeconds(
  attempts: number,
  { retryAfterSeconds = 0 }: { retryAfterSeconds?: number },
  random: () => number,
): number | null {
  const seconds = retrySeconds[attempts];
  if (seconds === undefined) return null;
  return Math.max(spreadOf(seconds, random), Math.min(retryAfterSeconds, retryAfterSecondsMax));
}

/**
 * What a result means: over for good, or to be tried again when the schedule says, later if the far side asks for it. Pure.
 */
export function standingAfter(
  result: DeliveryResult,
  { attempts, now, random = Math.random }: Tried,
): Standing {
  const over = { nextAttemptAt: null, finishedAt: now };
  if (result.outcome === 'delivered') return { state: 'delivered', reason: null, ...over };
  if (result.outcome === 'cancelled') return { state: 'cancelled', reason: result.reason, ...over };
  if (result.outcome === 'postponed')
    return {
      state: 'queued',
      reason: result.reason,
      nextAttemptAt: new Date(now.getTime() + spreadOf(result.retryAfterSeconds, random) * 1000),
      finishedAt: null,
    };
  const { permanent, reason } = result;
  const seconds = permanent ? null : waitSeconds(attempts, result, random);
  if (seconds === null) return { state: 'failed', reason, ...over };
  return {
    state: 'queued',
    reason,
    nextAttemptAt: new Date(now.getTime() + seconds * 1000),
    finishedAt: null,
  };
}
