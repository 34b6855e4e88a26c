import { LRUCache } from 'lru-cache';
import type { TenantView } from '#shared/tenant.ts';
import type { Database, Sql } from '../db/connect.ts';
import { toAppError } from '../errors.ts';
import type { Log } from '../log.ts';
import { createChangeListener } from './changeListener.ts';
import { createClinicIndex } from './clinicIndex.ts';
import { createDatabaseGate } from './databaseGate.ts';
import type { TenantDirectory } from './site.ts';
import { findActiveId, listIndexedClinics, listTenantViews, streamActiveClinics } from './tenantQueries.ts';
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
 * Active clinics by host and id. The hosts of all of them are in memory, kept current by `providers_changed` notifications (payload: ids,
 * or `*`); views are read when first needed. While notifications aren't heard, what is known is served as it is and what isn't is asked
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
  let index = createClinicIndex();
  let current = false;

  /** Ids heard of since they were last read, and whether everything is to be read. Filled at any moment, emptied by a follower alone. */
  const changed = new Set<number>();
  let changedAll = false;
  /** Reads what changed over the listening connection; null while there is none. */
  let follow: (() => Promise<void>) | null = null;

  async function reload(connection: Sql): Promise<void> {
    const next = createClinicIndex();
    for await (const clinics of streamActiveClinics(connection)) next.apply([], clinics);
    index = next;
    views.invalidateAll();
    misses.clear();
  }

  async function reread(connection: Sql, ids: number[]): Promise<void> {
    index.apply(ids, await listIndexedClinics(connection, ids));
    for (const id of ids) if (!index.has(id)) views.remove(id);
  }

  /** A notification comes after its commit, so a read that starts after it sees the change; one under way may not, hence the loop. */
  function createFollower(connection: Sql): () => Promise<void> {
    let running: Promise<void> | null = null;
    async function catchUp(): Promise<void> {
      try {
        while (changedAll || changed.size > 0) {
          const ids = [...changed];
          const all = changedAll;
          changed.clear();
          changedAll = false;
          await (all ? reload(connection) : reread(connection, ids));
        }
      } finally {
        running = null;
      }
    }
    return () => (running ??= catchUp());
  }

  async function warm(): Promise<void> {
    if (index.size > Math.min(warmMax, viewsMax)) return;
    await views
      .warm([...index.ids()])
      .catch((error: unknown) => log.debug({ err: error }, 'clinics are read when first asked for'));
  }

  function onNotification(payload: string): void {
    const ids = payload.split(',').map(Number);
    if (ids.every((id) => Number.isSafeInteger(id) && id > 0)) {
      for (const id of ids) changed.add(id);
      views.invalidate(ids);
    } else {
      changedAll = true;
      views.invalidateAll();
    }
    const heardOn = follow;
    heardOn?.().then(warm, (error: unknown) => {
      if (follow === heardOn) listener.restart(error);
    });
  }

  const listener = createChangeListener({
    sql,
    log,
    channel: 'providers_changed',
    onNotification,
    async onListening(connection) {
      changedAll = true;
      follow = createFollower(connection);
      await follow();
      current = true;
      await warm();
    },
    onLost() {
      follow = null;
      current = false;
    },
  });

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

  async function findByHost(host: string): Promise<TenantView | null> {
    const id = index.idOf(host);
    if (id !== undefined) {
      const view = await views.get(id);
      return view?.domain === host ? view : null; // its host may have changed since the index was read
    }
    if (current) return null;
    return ask(host, async () => {
      const found = await gate.ask(() => findActiveId(db, host));
      return found === null ? null : views.get(found);
    });
  }

  async function findById(id: number): Promise<TenantView | null> {
    if (index.has(id)) return views.get(id);
    return current ? null : ask(id, () => views.get(id));
  }

  return {
    findByHost,
    findById,
    hasHost: (host) => index.idOf(host) !== undefined,
    stats: () => ({ clinics: index.size, views: views.size, misses: misses.size, current }),
    start: listener.start,
    stop: listener.stop,
  };
}
