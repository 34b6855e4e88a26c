import type { Sql } from '../db/connect.ts';
import type { Log } from '../log.ts';
import { createChangeListener } from './changeListener.ts';
import { type ProviderIndex, createProviderIndex } from './providerIndex.ts';
import { listIndexedProviders, streamActiveProviders } from './tenantQueries.ts';

interface LiveIndexOptions {
  sql: Sql;
  log: Log;
  /** At once when a change is heard, before it is read: which clinics, null for any number of them. */
  onHeard: (ids: readonly number[] | null) => void;
  /** The index has been read anew as a whole. */
  onReloaded: () => void;
  /** These clinics are no longer active. */
  onGone: (ids: readonly number[]) => void;
  /** Everything heard so far is in the index. */
  onCaughtUp: () => Promise<void>;
}

/** The index of active clinics, kept current by `providers_changed` notifications (payload: ids, or `*`). */
export interface LiveIndex {
  readonly providers: ProviderIndex;
  /** Whether changes are heard: if so, what isn't in the index isn't an active clinic. */
  readonly current: boolean;
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Ids of a payload; null for `*` and whatever else isn't a list of ids. */
function parsePayload(payload: string): number[] | null {
  const ids = payload.split(',').map(Number);
  return ids.every((id) => Number.isSafeInteger(id) && id > 0) ? ids : null;
}

/** An index that is empty until started. On every new connection it is read again as a whole, since changes may have been missed. */
export function createLiveIndex({
  sql,
  log,
  onHeard,
  onReloaded,
  onGone,
  onCaughtUp,
}: LiveIndexOptions): LiveIndex {
  let providers = createProviderIndex();
  let current = false;
  /** Ids heard of since they were last read, and whether everything is to be read. Filled at any moment, emptied by a follower alone. */
  const changed = new Set<number>();
  let changedAll = false;
  /** Reads what changed over the listening connection; null while there is none. */
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

  const listener = createChangeListener({
    sql,
    log,
    channel: 'providers_changed',
    onNotification(payload) {
      const ids = parsePayload(payload);
      if (ids === null) changedAll = true;
      else for (const id of ids) changed.add(id);
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
