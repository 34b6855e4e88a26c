import { LRUCache } from 'lru-cache';
import { entriesMax } from '#server/cache/caches.ts';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { listNetworks } from './sharedLimiter.ts';

export interface LocalLimits {
  /** Calls that one network may make in a window; its neighborhoods may make a multiple of it (sharedLimiter.ts). */
  points: number;
  windowSeconds: number;
  /** Calls that all networks together may make in a window; no limit when left out. */
  totalPoints?: number;
  /** Networks and neighborhoods counted at the same time. Beyond that the one seen longest ago starts over. */
  networksMax?: number;
}

const totalKey = 'total';

/** Limits CPU or outgoing requests in process memory: refusals write nothing. N processes allow N times as much. */
export function createLocalLimiter({
  points,
  windowSeconds,
  totalPoints,
  networksMax = 20_000,
}: LocalLimits) {
  const counters = new RateLimiterMemory({ points, duration: windowSeconds });
  const counted = new LRUCache<string, true>({
    ...entriesMax(networksMax),
    dispose: (_value, network) => void counters.delete(network),
  });

  return {
    /** Counts a call from an address's network. Null if allowed, else the whole seconds to wait, at least 1. */
    async take(ip: string): Promise<number | null> {
      const levels = listNetworks(ip).map(({ network, multiplier }) => ({
        key: network,
        allowed: points * multiplier,
      }));
      for (const { key } of levels) if (counted.get(key) === undefined) counted.set(key, true);
      if (totalPoints !== undefined) levels.push({ key: totalKey, allowed: totalPoints });
      const taken: string[] = [];
      // The narrowest first, so that a refused call uses up nothing of what others share.
      for (const { key, allowed } of levels) {
        const { consumedPoints, msBeforeNext } = await counters.penalty(key);
        taken.push(key);
        if (consumedPoints <= allowed) continue;
        for (const counter of taken) await counters.reward(counter);
        return Math.max(1, Math.ceil(msBeforeNext / 1000));
      }
      return null;
    },
  };
}
