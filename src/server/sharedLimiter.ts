import { createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { RateLimiterDrizzle, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateWindow } from './config/kinds.ts';
import type { Database } from './db/connect.ts';
import { rateLimits } from './db/schema/index.ts';
import type { Log } from './log.ts';

export interface SharedLimiter extends RateWindow {
  /** Counts one call; whether it is one too many stands in `consumedPoints`. A refused one moves no window's end. */
  consume: (key: string) => Promise<RateLimiterRes>;
  /** Takes a counted call back. */
  giveBack: (key: string) => Promise<void>;
  /** Begins the window anew, with one call in it. */
  mark: (key: string) => Promise<void>;
  /** Whether anything was counted in the window that is running; not for sure while the database is away. */
  has: (key: string) => Promise<boolean>;
}

interface LimiterOptions extends RateWindow {
  db: Database;
  log: Log;
  keyPrefix: string;
}

/** Counts calls in a window over all processes; in this one alone while the database is away. */
export function createSharedLimiter({
  db,
  log,
  keyPrefix,
  points,
  windowSeconds,
}: LimiterOptions): SharedLimiter {
  const options = { keyPrefix, points, duration: windowSeconds };
  // Its own cleaning writes to the console when it fails; purgeExpiredKeys does that work.
  const shared = new RateLimiterDrizzle({
    ...options,
    storeClient: db,
    schema: rateLimits,
    clearExpiredByTimeout: false,
  });
  const local = new RateLimiterMemory(options);
  return {
    points,
    windowSeconds,
    async consume(key) {
      try {
        return await shared.consume(key);
      } catch (error) {
        if (error instanceof RateLimiterRes) return error;
        log.warn({ err: error }, 'limits are counted in this process alone while the database is away');
        return local.consume(key).catch((refused: unknown) => {
          if (refused instanceof RateLimiterRes) return refused;
          throw refused;
        });
      }
    },
    async giveBack(key) {
      await shared.reward(key);
    },
    async mark(key) {
      await shared.set(key, 1, windowSeconds);
    },
    async has(key) {
      const kept = await shared.get(key).catch(() => local.get(key));
      return kept !== null;
    },
  };
}

/** One person's network: an IPv4 address, or the /64 that an IPv6 user draws addresses from at will. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}

/** A counter's key for a network: a keyed hash, so that the table holds no addresses. Each purpose has keys of its own. */
export function networkKey(secret: string, purpose: string, ip: string): string {
  return createHmac('sha256', secret)
    .update(`${purpose}\n${networkOf(ip)}`)
    .digest('base64url');
}
