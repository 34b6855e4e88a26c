import { LRUCache } from 'lru-cache';
import { entriesMax } from '#server/cache/caches.ts';
import { readTogether } from '../db/readRows.ts';
import type { Awaitable } from './site.ts';
import type { ProviderRecord } from './providerRecord.ts';

interface Entry {
  record: ProviderRecord;
  /** False after a change was received: kept only for an outage of the database. */
  fresh: boolean;
}

interface RecordCacheOptions {
  /** Reads the active providers among `ids`. */
  load: (ids: number[]) => Promise<ProviderRecord[]>;
  recordsMax: number;
}

/** Caches providers' records by id, and evicts the least recently used. Concurrent readers share a query. */
export function createRecordCache({ load, recordsMax }: RecordCacheOptions) {
  const entries = new LRUCache<number, Entry>(entriesMax(recordsMax));
  /** Running reads. One that was invalidated still returns to its callers but is not kept. */
  const reading = new Map<number, Promise<ProviderRecord | null>>();

  async function readBatch(ids: readonly number[]): Promise<Map<number, ProviderRecord>> {
    return new Map((await load([...ids])).map((record) => [record.id, record]));
  }

  /** Concurrent misses share a query. Otherwise, a hundred visitors after a start would each wait for their own. */
  const readSoon = readTogether(async (ids: readonly number[]) => {
    const records = await readBatch(ids);
    return ids.map((id) => records.get(id) ?? null);
  });

  function track(id: number, read: Promise<ProviderRecord | null>): Promise<ProviderRecord | null> {
    const one: Promise<ProviderRecord | null> = read.then(
      (record) => {
        if (reading.get(id) !== one) return record;
        reading.delete(id);
        if (record === null) entries.delete(id);
        else entries.set(id, { record, fresh: true });
        return record;
      },
      (error: unknown) => {
        if (reading.get(id) === one) reading.delete(id);
        throw error;
      },
    );
    reading.set(id, one);
    return one;
  }

  return {
    /** The record, from memory if fresh. The stale one if reading fails. Null if no active provider has the id. */
    get(id: number): Awaitable<ProviderRecord | null> {
      // The order of use matters only if a record must be evicted.
      const entry = entries.size < recordsMax ? entries.peek(id) : entries.get(id);
      if (entry?.fresh === true) return entry.record;
      const read = reading.get(id) ?? track(id, readSoon(id));
      return entry === undefined ? read : read.catch(() => entry.record);
    },
    /** Reads the missing and stale records of `ids` in one query. */
    async warm(ids: readonly number[]): Promise<void> {
      const missing = ids.filter((id) => entries.peek(id)?.fresh !== true && !reading.has(id));
      if (missing.length === 0) return;
      const batch = readBatch(missing);
      await Promise.all(
        missing.map((id) =>
          track(
            id,
            batch.then((records) => records.get(id) ?? null),
          ),
        ),
      );
    },
    /** Records read before this call, also by running queries, no longer count as current. */
    invalidate(ids: readonly number[]): void {
      for (const id of ids) {
        reading.delete(id);
        const entry = entries.peek(id);
        if (entry !== undefined) entry.fresh = false;
      }
    },
    invalidateAll(): void {
      reading.clear();
      for (const entry of entries.values()) entry.fresh = false;
    },
    remove(ids: readonly number[]): void {
      for (const id of ids) {
        reading.delete(id);
        entries.delete(id);
      }
    },
    get size(): number {
      return entries.size;
    },
  };
}
