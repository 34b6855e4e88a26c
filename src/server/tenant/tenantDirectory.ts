import { LRUCache } from 'lru-cache';
import type { Database, Sql } from '../db/connect.ts';
import type { DatabaseHealth } from '../db/databaseHealth.ts';
import { toAppError } from '../errors.ts';
import type { Log } from '../log.ts';
import { createDatabaseGate } from './databaseGate.ts';
import { createLiveIndex } from './liveIndex.ts';
import type { Awaitable, TenantDirectory } from './site.ts';
import { findActiveId, listProviderRecords } from './tenantQueries.ts';
import { createRecordCache } from './recordCache.ts';
import type { ProviderRecord } from './providerRecord.ts';

/** A clinic that was unknown while changes weren't heard is asked for again after this long. */
const missTtlMs = 5_000;

/** Different unknown hosts asked for at once while changes aren't heard; the rest of a flood is answered "unknown" unasked. */
const askingMax = 50;

/** Up to this many active clinics every record is kept in memory, so that an outage finds all of them there; above, those visited. */
const warmMax = 2_000;

interface TenantDirectoryOptions {
  sql: Sql;
  db: Database;
  log: Log;
  health: Pick<DatabaseHealth, 'state'>;
  /** Records held at most, some 700 bytes each. */
  recordsMax?: number;
  /** Hosts and ids remembered as unknown at most. */
  missesMax?: number;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
}

/**
 * Active clinics by host and id. The hosts of all of them are in memory, kept current by the database's
 * notifications; records are read when first needed. While notifications aren't heard, what is known is served as it is and what isn't is asked
 * for once; on every new connection the index is read again and every record taken as stale.
 */
export function createTenantDirectory({
  sql,
  db,
  log,
  health,
  recordsMax = 150_000,
  missesMax = 10_000,
  now = () => performance.now(),
}: TenantDirectoryOptions): TenantDirectory {
  const gate = createDatabaseGate({ nowMs: now, health });
  const records = createRecordCache({
    load: (ids) => gate.ask(() => listProviderRecords(db, ids)),
    recordsMax,
  });
  const misses = new LRUCache<string | number, true>({
    max: missesMax,
    ttl: missTtlMs,
    ttlResolution: 0,
    perf: { now },
  });
  const asking = new Map<string | number, Promise<ProviderRecord | null>>();
  let revision = 0;
  const index = createLiveIndex({
    sql,
    log,
    onHeard(ids) {
      revision += 1;
      if (ids === null) records.invalidateAll();
      else records.invalidate(ids);
    },
    onReloaded() {
      revision += 1;
      records.invalidateAll();
      misses.clear();
    },
    onGone: (ids) => records.remove(ids),
    onCaughtUp: warm,
  });

  async function warm(): Promise<void> {
    if (index.providers.size > Math.min(warmMax, recordsMax)) return;
    await records
      .warm([...index.providers.ids()])
      .catch((error: unknown) => log.debug({ err: error }, 'clinics are read when first asked for'));
  }

  /** Asks the database for what the index doesn't hold. A database that is away knows nobody. */
  async function ask(
    key: string | number,
    query: () => Promise<ProviderRecord | null>,
  ): Promise<ProviderRecord | null> {
    if (misses.has(key)) return null;
    let answer = asking.get(key);
    if (answer === undefined) {
      if (asking.size >= askingMax) return null;
      answer = query().finally(() => asking.delete(key));
      asking.set(key, answer);
    }
    try {
      const record = await answer;
      if (record === null) misses.set(key, true);
      return record;
    } catch (error) {
      if (toAppError(error).code === 'SERVICE_UNAVAILABLE') return null;
      throw error;
    }
  }

  function findByHost(host: string): Awaitable<ProviderRecord | null> {
    const id = index.providers.idOf(host);
    if (id !== undefined) {
      // Its host may have changed since the index was read.
      const checked = (record: ProviderRecord | null): ProviderRecord | null =>
        record?.domain === host ? record : null;
      const record = records.get(id);
      return record instanceof Promise ? record.then(checked) : checked(record);
    }
    if (index.current) return null;
    return ask(host, async () => {
      const found = await gate.ask(() => findActiveId(db, host));
      return found === null ? null : records.get(found);
    });
  }

  function findById(id: number): Awaitable<ProviderRecord | null> {
    if (index.providers.has(id)) return records.get(id);
    return index.current ? null : ask(id, async () => records.get(id));
  }

  return {
    findByHost,
    findById,
    hasHost: (host) => index.providers.idOf(host) !== undefined,
    stats: () => ({
      providers: index.providers.size,
      records: records.size,
      misses: misses.size,
      current: index.current,
    }),
    revision: () => (index.current ? revision : null),
    start: index.start,
    stop: index.stop,
  };
}
