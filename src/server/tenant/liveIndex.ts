import type { Sql } from '../db/connect.ts';
import type { Log } from '../log.ts';
import { createChangeListener } from './changeListener.ts';
import { type ProviderIndex, createProviderIndex } from './providerIndex.ts';
import { listIndexedProviders, streamActiveProviders } from './tenantQueries.ts';

interface LiveIndexOptions {
  sql: Sql;
  log: Log;
  /** Called when a change is received, before it is read: the ids, or null for any number of providers. */
  onChanged: (ids: readonly number[] | null) => void;
  /** The whole index was read again. */
  onReloaded: () => void;
  /** These providers are no longer active. */
  onRemoved: (ids: readonly number[]) => void;
  /** The index contains all changes received so far. */
  onSynced: () => Promise<void>;
}

/** The index of active providers, kept current by `providers_changed` notifications (payload: ids and ranges of ids, or `*`). */
export interface LiveIndex {
  readonly providers: ProviderIndex;
  /** Whether changes are received. If so, a provider that is not in the index is not active. */
  readonly current: boolean;
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

/** A notice about more providers is treated as `*`: reading everything again is one stream. */
const idsMax = 50_000;

/** The ids of `5` or of `7-9`; null for anything else, and for more than `idsMax`. */
function parseItem(item: string): number[] | null {
  const [, low = '', high = low] = /^(\d+)(?:-(\d+))?$/.exec(item) ?? [];
  const [first, last] = [Number(low), Number(high)];
  if (low === '' || first < 1 || !Number.isSafeInteger(last) || last < first) return null;
  if (last - first >= idsMax) return null;
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** The ids of a payload; null for `*`, for anything that is not a list of ids and ranges, and for too many. */
export function parseNotice(payload: string): number[] | null {
  const ids: number[] = [];
  for (const item of payload.split(',')) {
    const parsed = parseItem(item);
    if (parsed === null || ids.length + parsed.length > idsMax) return null;
    for (const id of parsed) ids.push(id);
  }
  return ids;
}

/**
 * An index that is empty until it is started. Each new connection reads all of it again, since changes may have been
 * missed.
 */
export function createLiveIndex({
  sql,
  log,
  onChanged: onHeard,
  onReloaded,
  onRemoved: onGone,
  onSynced: onCaughtUp,
}: LiveIndexOptions): LiveIndex {
  let providers = createProviderIndex();
  let current = false;
  /**
   * Ids received since they were last read, and whether to read everything. Filled at any time, emptied by a follower
   * only.
   */
  const changed = new Set<number>();
  let changedAll = false;
  /** Reads the changes over the listening connection; null without one. */
  let follow: (() => Promise<void>) | null = null;

  async function reload(connection: Sql): Promise<void> {
    const next = createProviderIndex();
    for await (const rows of streamActiveProviders(connection)) next.apply([], rows);
    providers = next;
    onReloaded();
  }

  async function reread(connection: Sql, ids: readonly number[]): Promise<void> {
    providers.apply(ids, await listIndexedProviders(connection, ids));
    onGone(ids.filter((id) => !providers.has(id)));
  }

  /**
   * A notification comes after its commit, so a read that starts later sees the change. A running read may not, hence
   * the loop.
   */
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

  const listener = createChangeListener({
    sql,
    log,
    channel: 'providers_changed',
    onNotification(payload) {
      const ids = parseNotice(payload);
      if (ids === null) changedAll = true;
      else for (const id of ids) changed.add(id);
      // Many notices at once are read as one.
      if (changed.size > idsMax) changedAll = true;
      onHeard(ids);
      const heardOn = follow;
      heardOn?.().then(onCaughtUp, (error: unknown) => {
        if (follow === heardOn) listener.restart(error);
      });
    },
    async onListening(connection) {
      changedAll = true;
      follow = createFollower(connection);
      await follow();
      current = true;
      await onCaughtUp();
    },
    onLost() {
      follow = null;
      current = false;
    },
  });

  return {
    get providers() {
      return providers;
    },
    get current() {
      return current;
    },
    start: listener.start,
    stop: listener.stop,
  };
}
