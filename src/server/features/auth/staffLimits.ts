import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Caller } from '#server/caller.ts';
import { AppError } from '#server/errors.ts';
import type { Actor } from './actor.ts';

/** A busy dashboard needs a tenth of it, and a script that reads a list with a hundred rows a page two. */
const pointsPerMinute = 300;
const windowSeconds = 60;

function toKey(actor: Actor): string {
  return actor.kind === 'staff' ? `session:${actor.sessionId}` : `token:${actor.tokenId}`;
}

/**
 * Limits requests per session and token in this process only: a shared limit would write with every read. N processes
 * together allow N times as many.
 */
export function createStaffLimits(points = pointsPerMinute) {
  const counters = new RateLimiterMemory({ points, duration: windowSeconds });
  const counted = new WeakMap<Caller, Promise<void>>();

  async function count(actor: Actor, { responseHeaders }: Caller): Promise<void> {
    const { consumedPoints, msBeforeNext } = await counters.penalty(toKey(actor));
    const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
    responseHeaders.set('RateLimit-Policy', `"1m";q=${points};w=${windowSeconds}`);
    responseHeaders.set('RateLimit', `"1m";r=${Math.max(0, points - consumedPoints)};t=${retryAfterSeconds}`);
    if (consumedPoints > points)
      throw new AppError('TOO_MANY_REQUESTS', 'Too many requests. Please try again in a minute.', {
        retryAfterSeconds,
      });
  }

  return {
    /**
     * Counts a request of a session or token, once however many procedures it calls. Sets `RateLimit-Policy` and
     * `RateLimit` on `caller.responseHeaders`. Throws TOO_MANY_REQUESTS with the seconds to wait.
     */
    take(actor: Actor, caller: Caller): Promise<void> {
      const known = counted.get(caller);
      if (known !== undefined) return known;
      const taken = count(actor, caller);
      counted.set(caller, taken);
      return taken;
    },
  };
}

export type StaffLimits = ReturnType<typeof createStaffLimits>;
