import { retrySeconds } from '#shared/admin/deliveries.ts';

const jitter = 0.1;

interface Tried {
  /** So far, the one that has just failed included. */
  attempts: number;
  now: Date;
  /** What the far side asked for. */
  retryAfterSeconds: number | null;
  /** From 0 up to 1; tests give their own. */
  random?: () => number;
}

/** When to try again, a tenth sooner or later so that what failed together isn't repeated together; null when there were tries enough. */
export function nextAttemptAt({
  attempts,
  now,
  retryAfterSeconds,
  random = Math.random,
}: Tried): Date | null {
  const seconds = retrySeconds[attempts];
  if (seconds === undefined) return null;
  const spread = seconds * (1 + jitter * (2 * random() - 1));
  return new Date(now.getTime() + 1000 * Math.max(spread, retryAfterSeconds ?? 0));
}
