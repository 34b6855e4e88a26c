import { LRUCache } from 'lru-cache';
import type { TenantView } from '#shared/tenant.ts';
import type { Database, Sql } from '../db/connect.ts';
import { toAppError } from '../errors.ts';
import type { Log } from '../log.ts';
import { createDatabaseGate } from './databaseGate.ts';
import { createLiveIndex } from './liveIndex.ts';
import type { Awaitable, TenantDirectory } from './site.ts';
import { findActiveId, listTenantViews } from './tenantQueries.ts';
import { createViewCache } from './viewCache.ts';

/** A clinic that was unknown while changes weren't heard is asked for again after this long. */
const missTtlMs = 5_000;

/** Different unknown hosts asked for at once while changes aren't heard; the rest of a flood is answered "unknown" unasked. */
const askingMax = 50;

/** Up to this many active clinics every view is kept in memory, so that an outage finds all of them there; above, those visited. */
const warmMax = 2_000;

interface TenantDirectoryOptions {
  sql: Sql;
  db: Database;
  log: Log;
  /** Views held at most, about a kilobyte each. */
  viewsMax?: number;
  /** Hosts and ids remembered as unknown at most. */
  missesMax?: number;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
}

/**
 * Active clinics by host and id. The hosts of all of them are in memory, kept current by the database's
 * notifications; views are read when first needed. While notifications aren't heard, what is known is served as it is and what isn't is asked
 * for once; on every new connection the index is read again and every view taken as stale.
 */
export function createTenantDirectory({
  sql,
  db,
  log,
  viewsMax = 150_000,
  missesMax = 10_000,
  now = () => performance.now(),
}: TenantDirectoryOptions): TenantDirectory {
  const gate = createDatabaseGate(now);
  const views = createViewCache({ load: (ids) => gate.ask(() => listTenantViews(db, ids)), viewsMax });
  const misses = new LRUCache<string | number, true>({
    max: missesMax,
    ttl: missTtlMs,
    ttlResolution: 0,
    perf: { now },
  });
  const asking = new Map<string | number, Promise<TenantView | null>>();
  let revision = 0;
  const index = createLiveIndex({
    sql,
    log,
    onHeard(ids) {
      revision += 1;
      if (ids === null) views.invalidateAll();
      else views.invalidate(ids);
    },
    onReloaded() {
      revision += 1;
      views.invalidateAll();
      misses.clear();
    },
    onGone: (ids) => views.remove(ids),
    onCaughtUp: warm,
  });

  async function warm(): Promise<void> {
    if (index.clinics.size > Math.min(warmMax, viewsMax)) return;
    await views
      .warm([...index.clinics.ids()])
      .catch((error: unknown) => log.debug({ err: error }, 'clinics are read when first asked for'));
  }

  /** Asks the database for what the index doesn't hold. A database that is away knows nobody. */
  async function ask(
    key: string | number,
    query: () => Promise<TenantView | null>,
  ): Promise<TenantView | null> {
    if (misses.has(key)) return null;
    let answer = asking.get(key);
    if (answer === undefined) {
      if (asking.size >= askingMax) return null;
      answer = query().finally(() => asking.delete(key));
      asking.set(key, answer);
    }
    try {
      const view = await answer;
      if (view === null) misses.set(key, true);
      return view;
    } catch (error) {
      if (toAppError(error).code === 'SERVICE_UNAVAILABLE') return null;
      throw error;
    }
  }

  function findByHost(host: string): Awaitable<TenantView | null> {
    const id = index.clinics.idOf(host);
    if (id !== undefined) {
      // Its host may have changed since the index was read.
      const checked = (view: TenantView | null): TenantView | null => (view?.domain === host ? view : null);
      const view = views.get(id);
      return view instanceof Promise ? view.then(checked) : checked(view);
    }
    if (index.current) return null;
    return ask(host, async () => {
      const found = await gate.ask(() => findActiveId(db, host));
      return found === null ? null : views.get(found);
    });
  }

  function findById(id: number): Awaitable<TenantView | null> {
    if (index.clinics.has(id)) return views.get(id);
    return index.current ? null : ask(id, async () => views.get(id));
  }

  return {
    findByHost,
    findById,
    hasHost: (host) => index.clinics.idOf(host) !== undefined,
    stats: () => ({
      clinics: index.clinics.size,
      views: views.size,
      misses: misses.size,
      current: index.current,
    }),
    revision: () => (index.current ? revision : null),
    start: index.start,
    stop: index.stop,
  };
}
