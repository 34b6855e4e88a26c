import { createHmac } from 'node:crypto';
import { lte } from 'drizzle-orm';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { entriesMax } from '#server/cache/caches.ts';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { RateWindow } from '../config/kinds.ts';
import type { Database, Queryable } from '../db/connect.ts';
import { purgeRows } from '../db/purgeRows.ts';
import { rateLimits } from '../db/schema/index.ts';
import type { Log } from '../log.ts';
import { readTogether } from '../db/readRows.ts';

/** One counter of a key. It allows `multiplier` times the limiter's calls. */
export interface LimitLevel {
  key: string;
  multiplier: number;
}

/** What a call counts for: one counter or several, narrowest first. Any exhausted one refuses it. */
export type LimitKey = string | readonly LimitLevel[];

/** The result of one call, as seen by the level that is closest to refusal. */
export interface Consumed {
  isRefused: boolean;
  /** Calls that the level allows in a window. */
  points: number;
  remainingPoints: number;
  msBeforeNext: number;
}

export type SharedLimiter = ReturnType<typeof createSharedLimiter>;

interface LimiterOptions extends RateWindow {
  db: Database;
  log: Log;
  keyPrefix: string;
}

/** Exhausted counters that a process remembers. Beyond these it asks the database again. */
const rememberedMax = 10_000;
/** Another process may take a call back, so a remembered refusal is checked again after this time. */
const rememberedMsMax = 60_000;

function listLevels(key: LimitKey): readonly LimitLevel[] {
  return typeof key === 'string' ? [{ key, multiplier: 1 }] : key;
}

/** Counts calls in a window across all processes, or in this process only while the database is unavailable. */
export function createSharedLimiter({ db, log, keyPrefix, points, windowSeconds }: LimiterOptions) {
  const shared = sharedCounters(db);
  const local = new RateLimiterMemory({ keyPrefix, points, duration: windowSeconds });
  const storedKey = (key: string): string => `${keyPrefix}:${key}`;
  // When each exhausted counter's window ends, in ms since the epoch. Refusing from memory keeps a flood from writing a
  // row per request.
  const exhausted = new LRUCache<string, number>(entriesMax(rememberedMax));

  function remember({ key }: LimitLevel, msBeforeNext: number): void {
    if (msBeforeNext > 0)
      exhausted.set(key, Date.now() + msBeforeNext, { ttl: Math.min(msBeforeNext, rememberedMsMax) });
  }

  function remembered(levels: readonly LimitLevel[]): Consumed | null {
    for (const { key, multiplier } of levels) {
      const msBeforeNext = (exhausted.get(key) ?? 0) - Date.now();
      if (msBeforeNext > 0)
        return { isRefused: true, points: points * multiplier, remainingPoints: 0, msBeforeNext };
    }
    return null;
  }

  /** `penalty` counts without judging: the library knows one allowance per limiter, and each level has its own. */
  async function countHere(key: string): Promise<Count> {
    const { consumedPoints, msBeforeNext } = await local.penalty(key);
    return { points: consumedPoints, msBeforeNext };
  }

  async function count({ key, multiplier }: LimitLevel): Promise<Consumed> {
    const counted = shared.count({ key: storedKey(key), windowSeconds });
    const { points: consumedPoints, msBeforeNext } = await counted.catch((error: unknown) => {
      log.warn(
        { event: 'limits.local', err: error },
        'limits are counted in this process only while the database is away',
      );
      return countHere(key);
    });
    const allowed = points * multiplier;
    return {
      isRefused: consumedPoints > allowed,
      points: allowed,
      remainingPoints: Math.max(0, allowed - consumedPoints),
      msBeforeNext,
    };
  }

  async function takeBack({ key }: LimitLevel): Promise<void> {
    await shared.takeBack(storedKey(key)).catch(() => local.reward(key));
  }

  return {
    points,
    windowSeconds,
    /** The result of `consume` if this process remembers an exhausted level; null if it has to count. */
    refusal: (key: LimitKey): Consumed | null => remembered(listLevels(key)),
    /** Counts one call at every level of its key. A refused call counts at none of them and moves no window's end. */
    async consume(key: LimitKey): Promise<Consumed> {
      const levels = listLevels(key);
      const refusal = remembered(levels);
      if (refusal !== null) return refusal;
      const counted: { level: LimitLevel; result: Consumed }[] = [];
      // Narrowest first: a call that is refused for its own network never counts for the neighborhood.
      for (const level of levels) {
        const result = await count(level);
        counted.push({ level, result });
        if (!result.isRefused) continue;
        for (const { level: passed } of counted) await takeBack(passed);
        remember(level, result.msBeforeNext);
        return result;
      }
      for (const { level, result } of counted)
        if (result.remainingPoints === 0) remember(level, result.msBeforeNext);
      const [closest] = counted
        .map(({ result }) => result)
        .toSorted((a, b) => a.remainingPoints - b.remainingPoints);
      if (closest === undefined) throw new Error('a limit key needs a level');
      return closest;
    },
    /** Takes a counted call back, at every level. */
    async giveBack(key: LimitKey): Promise<void> {
      for (const level of listLevels(key)) {
        await takeBack(level);
        exhausted.delete(level.key);
      }
    },
  };
}

/**
 * The networks that count an address, narrowest first, with their multiples of a network's limit. IPv6 customers get a
 * /64, /56 or /48, so these allow little more than one. An IPv4 /24 mostly has different customers.
 */
const neighborhoods = {
  ipv4: [
    { prefixLength: 32, multiplier: 1 },
    { prefixLength: 24, multiplier: 8 },
  ],
  ipv6: [
    { prefixLength: 64, multiplier: 1 },
    { prefixLength: 56, multiplier: 4 },
    { prefixLength: 48, multiplier: 16 },
  ],
} as const;

interface Network {
  /** In CIDR notation. */
  network: string;
  multiplier: number;
}

/** An address's network and its neighborhoods, narrowest first. All texts that aren't addresses count as one. */
export function listNetworks(ip: string): Network[] {
  if (!ipaddr.isValid(ip)) return [{ network: 'unknown', multiplier: 1 }];
  const address = ipaddr.process(ip);
  const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return neighborhoods[address.kind()].map(({ prefixLength, multiplier }) => ({
    network: `${family.networkAddressFromCIDR(`${address.toString()}/${prefixLength}`).toString()}/${prefixLength}`,
    multiplier,
  }));
}

/** The widest neighborhood of an address: an IPv4 /24 or an IPv6 /48. */
export function widestNetwork(ip: string): string {
  return listNetworks(ip).at(-1)?.network ?? 'unknown';
}

/** A limiter's key for a text that must not be stored: a keyed hash. Each purpose has keys of its own. */
export function hiddenKey(secret: string, purpose: string, text: string): string {
  return createHmac('sha256', secret).update(`${purpose}\n${text}`).digest('base64url');
}

/**
 * A limiter's key for an address, its network and its neighborhoods, as keyed hashes: the table contains no addresses.
 */
export function networkKey(secret: string, purpose: string, ip: string): LimitLevel[] {
  return listNetworks(ip).map(({ network, multiplier }) => ({
    key: hiddenKey(secret, purpose, network),
    multiplier,
  }));
}

/** Deletes a batch of ended windows, except rows that are being counted. Returns how many. */
export function purgeRateLimits(db: Queryable, now: Date): Promise<number> {
  return purgeRows(db, rateLimits.key, lte(rateLimits.expire, now), { limit: 10_000 });
}

interface CountedKey {
  key: string;
  windowSeconds: number;
}

export interface Count {
  /** Calls in the current window, including this one. */
  points: number;
  /** Until the window ends. */
  msBeforeNext: number;
}

type SharedCounters = ReturnType<typeof createCounters>;

const countersByDatabase = new WeakMap<Database, SharedCounters>();

/** In ascending order of keys, so that two processes never wait for each other. */
const countStatement = `
  insert into rate_limits as stored (key, points, expire)
  select key, points, now() + seconds * interval '1 second'
  from json_to_recordset($1::text::json) as counted (key text, points int, seconds int) order by key
  on conflict (key) do update set
    points = case when stored.expire > now() then stored.points else 0 end + excluded.points,
    expire = case when stored.expire > now() then stored.expire else excluded.expire end
  returning key, points, (extract(epoch from expire - now()) * 1000)::float8 as ms`;

function createCounters(db: Database) {
  return {
    /** Counts one call. The first call of a window starts it. */
    count: readTogether((counted: readonly CountedKey[]) => countAll(db, counted)),
    /** Takes one call of the current window back. */
    async takeBack(key: string): Promise<void> {
      await db.$client`update rate_limits set points = points - 1 where key = ${key} and points > 0 and expire > now()`;
    },
  };
}

/**
 * Counters in `rate_limits`, shared by all processes, by the database's clock. Concurrent calls share a statement: a
 * busy process writes a few times per turn of its event loop, not several times per call.
 */
export function sharedCounters(db: Database): SharedCounters {
  const counters = countersByDatabase.get(db) ?? createCounters(db);
  countersByDatabase.set(db, counters);
  return counters;
}

/** Counts calls, several of one key in the order in which they came. */
async function countAll(db: Database, counted: readonly CountedKey[]): Promise<Count[]> {
  const byKey = Map.groupBy(counted, ({ key }) => key);
  const rows = [...byKey].map(([key, calls]) => ({
    key,
    points: calls.length,
    seconds: calls[0]?.windowSeconds,
  }));
  const stored = await db.$client.unsafe<{ key: string; points: number; ms: number }[]>(
    countStatement,
    [JSON.stringify(rows)],
    { prepare: true },
  );
  const next = new Map(
    stored.map(({ key, points, ms }) => [key, { points: points - (byKey.get(key)?.length ?? 0), ms }]),
  );
  return counted.map(({ key }) => {
    const count = next.get(key);
    if (count === undefined) throw new Error('the database returned no count');
    count.points += 1;
    return { points: count.points, msBeforeNext: Math.round(count.ms) };
  });
}
