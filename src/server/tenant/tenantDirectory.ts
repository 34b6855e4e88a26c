import { LRUCache } from 'lru-cache';
import { entriesMax } from '#server/cache/caches.ts';
import type { Database, Sql } from '../db/connect.ts';
import type { DatabaseHealth } from '../db/poolWatchdog.ts';
import { toAppError } from '../errors.ts';
import type { Log } from '../log.ts';
import { createDatabaseGate } from '../db/withTimeout.ts';
import { createLiveIndex, findActiveId, listProviderRecords } from './liveIndex.ts';
import type { Awaitable, TenantDirectory } from './site.ts';
import { createRecordCache } from './recordCache.ts';
import type { ProviderRecord } from './providerRecord.ts';

/** A provider that was unknown while changes were not received is looked up again after this long. */
const missTtlMs = 5_000;

/** Concurrent lookups of unknown hosts while changes are not received. All others count as unknown without a query. */
const askingMax = 50;

/**
 * Up to this many active providers, all records stay in memory, so an outage affects none. Above, only visited ones.
 */
const warmMax = 2_000;

interface TenantDirectoryOptions {
  sql: Sql;
  db: Database;
  log: Log;
  health: Pick<DatabaseHealth, 'state'>;
  /** Maximum number of records, about 700 bytes each. */
  recordsMax?: number;
  /** Maximum number of hosts and ids remembered as unknown. */
  missesMax?: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

/**
 * Active providers by host and id. All hosts are in memory, kept current by the database's notifications. Records are
 * read when they are first needed. While notifications are not received, known providers are served as they are and
 * unknown ones are looked up. Each new connection reads the index again and marks every record as stale.
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
    ...entriesMax(missesMax),
    ttl: missTtlMs,
    ttlResolution: 0,
    perf: { now },
  });
  const asking = new Map<string | number, Promise<ProviderRecord | null>>();
  let revision = 0;
  const index = createLiveIndex({
    sql,
    log,
    onChanged(ids) {
      revision += 1;
      if (ids === null) records.invalidateAll();
      else records.invalidate(ids);
    },
    onReloaded() {
      revision += 1;
      records.invalidateAll();
      misses.clear();
    },
    onRemoved: (ids) => records.remove(ids),
    onSynced: warm,
  });

  async function warm(): Promise<void> {
    if (index.providers.size > Math.min(warmMax, recordsMax)) return;
    await records
      .warm([...index.providers.ids()])
      .catch((error: unknown) =>
        log.debug({ event: 'tenants.warm-failed', err: error }, 'providers are read when first requested'),
      );
  }

  /** Asks the database for a provider that is not in the index. During an outage, nobody is found. */
  async function lookUp(
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
    return lookUp(host, async () => {
      const found = await gate.ask(() => findActiveId(db, host));
      return found === null ? null : records.get(found);
    });
  }

  function findById(id: number): Awaitable<ProviderRecord | null> {
    if (index.providers.has(id)) return records.get(id);
    return index.current ? null : lookUp(id, async () => records.get(id));
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
    hiddenClaims: () => index.hiddenClaims,
    revision: () => (index.current ? revision : null),
    start: index.start,
    stop: index.stop,
  };
}
