import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from './sharedLimiter.ts';

export interface LocalLimits {
  /** Calls that one network may make in a window. */
  points: number;
  windowSeconds: number;
  /** Calls that all networks together may make in a window; no limit when left out. */
  totalPoints?: number;
  /** Networks counted at the same time. Beyond that the one seen longest ago starts anew. */
  networksMax?: number;
}

export interface LocalLimiter {
  /** Counts one call from the network of an IP address. Returns null when it is allowed, else the whole seconds to wait, at least 1. */
  take: (ip: string) => Promise<number | null>;
}

const totalKey = 'total';

/**
 * Limits what costs CPU or outgoing requests, in the memory of this process alone: a refused call writes nothing to the database. N processes
 * together allow N times as much.
 */
export function createLocalLimiter({
  points,
  windowSeconds,
  totalPoints,
  networksMax = 10_000,
}: LocalLimits): LocalLimiter {
  const byNetwork = new RateLimiterMemory({ points, duration: windowSeconds });
  const total =
    totalPoints === undefined
      ? null
      : new RateLimiterMemory({ points: totalPoints, duration: windowSeconds });
  const counted = new LRUCache<string, true>({
    max: networksMax,
    dispose: (_value, network) => void byNetwork.delete(network),
  });

  return {
    async take(ip) {
      const network = networkOf(ip);
      if (!counted.has(network)) counted.set(network, true);
      else counted.get(network);
      // The network first, so that a refused one uses up nothing of what all share.
      return (
        (await secondsToWait(byNetwork, network)) ??
        (total === null ? null : await secondsToWait(total, totalKey))
      );
    },
  };
}

async function secondsToWait(limiter: RateLimiterMemory, key: string): Promise<number | null> {
  try {
    await limiter.consume(key);
    return null;
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    return Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
  }
}
