import { LRUCache } from 'lru-cache';
import type { TenantView } from '#shared/tenant.ts';
import type { Awaitable } from './site.ts';

interface Entry {
  view: TenantView;
  /** False once a change was heard: kept only to be served while the database is away. */
  fresh: boolean;
}

interface ViewCacheOptions {
  /** Reads the active clinics among `ids`. */
  load: (ids: number[]) => Promise<TenantView[]>;
  viewsMax: number;
}

/** The clinics' views by id: bounded, least recently used first out. Concurrent readers share a query. */
export interface ViewCache {
  /** The view, at once when fresh, else read; a stale one is answered when reading fails. Null when no active clinic has the id. */
  get: (id: number) => Awaitable<TenantView | null>;
  /** Reads those of `ids` that are missing or stale, in one query. */
  warm: (ids: readonly number[]) => Promise<void>;
  /** What was read before this moment, queries under way included, is not taken as current any more. */
  invalidate: (ids: readonly number[]) => void;
  invalidateAll: () => void;
  remove: (ids: readonly number[]) => void;
  readonly size: number;
}

/** An empty cache over `load`. */
export function createViewCache({ load, viewsMax }: ViewCacheOptions): ViewCache {
  const entries = new LRUCache<number, Entry>({ max: viewsMax });
  /** Reads under way. One that an invalidation has taken out of here still answers its callers but is not kept. */
  const reading = new Map<number, Promise<TenantView | null>>();

  /** Ids asked for since the last turn of the event loop, and the query that will read them all. */
  let collecting: { ids: number[]; batch: Promise<Map<number, TenantView>> } | null = null;

  /** Those who miss at once share one query: of a hundred visitors after a start, each would otherwise wait for one of their own. */
  function readSoon(id: number): Promise<Map<number, TenantView>> {
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

  function readBatch(ids: readonly number[]): Promise<Map<number, TenantView>> {
    return load([...ids]).then((views) => new Map(views.map((view) => [view.id, view])));
  }

  function track(id: number, batch: Promise<Map<number, TenantView>>): Promise<TenantView | null> {
    const one: Promise<TenantView | null> = batch.then(
      (views) => {
        const view = views.get(id) ?? null;
        if (reading.get(id) !== one) return view;
        reading.delete(id);
        if (view === null) entries.delete(id);
        else entries.set(id, { view, fresh: true });
        return view;
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
      const entry = entries.size < viewsMax ? entries.peek(id) : entries.get(id);
      if (entry?.fresh === true) return entry.view;
      const read = reading.get(id) ?? track(id, readSoon(id));
      return entry === undefined ? read : read.catch(() => entry.view);
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
