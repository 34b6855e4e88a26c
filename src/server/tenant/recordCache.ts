import { LRUCache } from 'lru-cache';
import type { Awaitable } from './site.ts';
import type { ProviderRecord } from './providerRecord.ts';

interface Entry {
  record: ProviderRecord;
  /** False once a change was heard: kept only to be served while the database is away. */
  fresh: boolean;
}

interface RecordCacheOptions {
  /** Reads the active clinics among `ids`. */
  load: (ids: number[]) => Promise<ProviderRecord[]>;
  recordsMax: number;
}

/** The clinics' records by id: bounded, least recently used first out. Concurrent readers share a query. */
export interface RecordCache {
  /** The record, at once when fresh, else read; a stale one is answered when reading fails. Null when no active clinic has the id. */
  get: (id: number) => Awaitable<ProviderRecord | null>;
  /** Reads those of `ids` that are missing or stale, in one query. */
  warm: (ids: readonly number[]) => Promise<void>;
  /** What was read before this moment, queries under way included, is not taken as current any more. */
  invalidate: (ids: readonly number[]) => void;
  invalidateAll: () => void;
  remove: (ids: readonly number[]) => void;
  readonly size: number;
}

/** An empty cache over `load`. */
export function createRecordCache({ load, recordsMax }: RecordCacheOptions): RecordCache {
  const entries = new LRUCache<number, Entry>({ max: recordsMax });
  /** Reads under way. One that an invalidation has taken out of here still answers its callers but is not kept. */
  const reading = new Map<number, Promise<ProviderRecord | null>>();

  /** Ids asked for since the last turn of the event loop, and the query that will read them all. */
  let collecting: { ids: number[]; batch: Promise<Map<number, ProviderRecord>> } | null = null;

  /** Those who miss at once share one query: of a hundred visitors after a start, each would otherwise wait for one of their own. */
  function readSoon(id: number): Promise<Map<number, ProviderRecord>> {
    if (collecting === null) {
      const ids: number[] = [];
      const turn = new Promise<void>((resolve) => {
        setImmediate(() => {
          collecting = null;
          resolve();
        });
      });
      collecting = { ids, batch: turn.then(() => readBatch(ids)) };
    }
    collecting.ids.push(id);
    return collecting.batch;
  }

  function readBatch(ids: readonly number[]): Promise<Map<number, ProviderRecord>> {
    return load([...ids]).then((records) => new Map(records.map((record) => [record.id, record])));
  }

  function track(id: number, batch: Promise<Map<number, ProviderRecord>>): Promise<ProviderRecord | null> {
    const one: Promise<ProviderRecord | null> = batch.then(
      (records) => {
        const record = records.get(id) ?? null;
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
    get(id) {
      // Who was used last matters only where somebody must go.
      const entry = entries.size < recordsMax ? entries.peek(id) : entries.get(id);
      if (entry?.fresh === true) return entry.record;
      const read = reading.get(id) ?? track(id, readSoon(id));
      return entry === undefined ? read : read.catch(() => entry.record);
    },
    async warm(ids) {
      const missing = ids.filter((id) => entries.peek(id)?.fresh !== true && !reading.has(id));
      if (missing.length === 0) return;
      const batch = readBatch(missing);
      await Promise.all(missing.map((id) => track(id, batch)));
    },
    invalidate(ids) {
      for (const id of ids) {
        reading.delete(id);
        const entry = entries.peek(id);
        if (entry !== undefined) entry.fresh = false;
      }
    },
    invalidateAll() {
      reading.clear();
      for (const entry of entries.values()) entry.fresh = false;
    },
    remove(ids) {
      for (const id of ids) {
        reading.delete(id);
        entries.delete(id);
      }
    },
    get size() {
      return entries.size;
    },
  };
}
