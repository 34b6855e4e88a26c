import { withTimeout } from '#server/db/withTimeout.ts';
import { toAppError, unavailable } from '#server/errors.ts';

/** Options for an `LRUCache` of this many entries. Its `max` would allocate room for all: 4 MB, 13 ms for 100,000. */
export function entriesMax(count: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: count, sizeCalculation: () => 1 };
}

export interface CachedUntilChange<Value> {
  /**
   * The last value, if no change was received since. Otherwise, the first caller creates it and others wait for it, at
   * most 1.5 seconds. If the database fails, returns the last value or throws SERVICE_UNAVAILABLE.
   */
  get: () => Value | Promise<Value>;
}

/** Less than a public read's limit. Creation continues beyond it: a list of a hundred thousand may take longer. */
const waitMs = 1_500;

interface CacheOptions<Value> {
  load: () => Promise<Value>;
  /** See TenantDirectory. */
  revision: () => number | null;
  /** Returns the last value while the next is created, a tenth of the time at most, to spare the database in a sync. */
  servesStale?: boolean | (() => boolean);
}

/** The pause after creating a value that is kept, as a multiple of how long that took. */
const pauseRatio = 9;

/** Caches a value derived from the providers' records until one of them changes. */
export function cacheUntilChange<Value extends object>({
  load,
  revision,
  servesStale = false,
}: CacheOptions<Value>): CachedUntilChange<Value> {
  let cached: { revision: number | null; value: Value } | null = null;
  /** `timedOut`: a caller reached the limit, so nobody else waits. */
  let loading: { revision: number | null; done: Promise<Value>; timedOut: boolean } | null = null;
  let pauseEndsMs = -Infinity;

  async function loadAt(at: number | null): Promise<Value> {
    const startedMs = performance.now();
    try {
      const value = await load();
      cached = { revision: at, value };
      return value;
    } catch (error) {
      if (cached === null || toAppError(error).code !== 'SERVICE_UNAVAILABLE') throw error;
      return cached.value;
    } finally {
      loading = null;
      const endedMs = performance.now();
      pauseEndsMs = endedMs + pauseRatio * (endedMs - startedMs);
    }
  }

  function startLoading(at: number | null): NonNullable<typeof loading> {
    const done = loadAt(at);
    // Nobody may be waiting when it fails.
    done.catch(() => undefined);
    return { revision: at, done, timedOut: false };
  }

  async function getLater(at: number | null): Promise<Value> {
    if (loading === null) loading = startLoading(at);
    else if (loading.timedOut) return cachedValue();
    else if (loading.revision !== at) {
      // Started before a change was received, it may lack it.
      await waitFor(loading).catch(() => undefined);
      return get();
    }
    return waitFor(loading);
  }

  async function waitFor(current: NonNullable<typeof loading>): Promise<Value> {
    try {
      return await withTimeout(current.done, { timeoutMs: waitMs });
    } catch (error) {
      // Not a failure of the creation, which has ended.
      if (loading !== current) throw error;
      current.timedOut = true;
      return cachedValue();
    }
  }

  function cachedValue(): Value {
    if (cached === null) throw unavailable();
    return cached.value;
  }

  function get(): Value | Promise<Value> {
    const at = revision();
    if (cached !== null && at !== null && cached.revision === at) return cached.value;
    if (cached === null || !(servesStale === true || (servesStale !== false && servesStale()))) {
      const later = getLater(at);
      // The caller may only compare it with an earlier value.
      later.catch(() => undefined);
      return later;
    }
    if (loading === null && performance.now() >= pauseEndsMs) loading = startLoading(at);
    return cached.value;
  }

  return { get };
}
