import type { Sql, Database } from '../db/connect.ts';
import type { Log } from '../log.ts';
import { createChangeListener } from './changeListener.ts';
import { and, eq, inArray } from 'drizzle-orm';
import { providers } from '../db/schema/index.ts';
import { pageColumns } from '../db/providerFields.ts';
import { type ProviderRecord, toRecord, toTenantView } from './providerRecord.ts';

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

/**
 * The index of active providers, kept current by `providers_changed` notifications (payload: ids and ranges of ids,
 * `claims`, or `*`).
 */
export interface LiveIndex {
  readonly providers: ReturnType<typeof createProviderIndex>;
  /** Whether changes are received. If so, a provider that is not in the index is not active. */
  readonly current: boolean;
  /** Ids of the claims that owners hide, in order. The same list until it changes. */
  readonly hiddenClaims: readonly string[];
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

/** The payload for hidden claims. */
const claimsNotice = 'claims';

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

/** An index that is empty until started. Each new connection reads it all again, as changes may have been missed. */
export function createLiveIndex({
  sql,
  log,
  onChanged,
  onReloaded,
  onRemoved,
  onSynced,
}: LiveIndexOptions): LiveIndex {
  let index = createProviderIndex();
  let current = false;
  /** Ids received since the last read, and whether to read everything. Only a follower empties it. */
  const changed = new Set<number>();
  let changedAll = false;
  let changedClaims = false;
  let hiddenClaims: readonly string[] = [];
  /** Reads the changes over the listening connection; null without one. */
  let follow: (() => Promise<void>) | null = null;

  async function readHiddenClaims(connection: Sql): Promise<void> {
    const ids = await listHiddenClaims(connection);
    if (ids.join(' ') !== hiddenClaims.join(' ')) hiddenClaims = ids;
  }

  async function reload(connection: Sql): Promise<void> {
    await readHiddenClaims(connection);
    const next = createProviderIndex();
    for await (const rows of streamActiveProviders(connection)) next.apply([], rows);
    index = next;
    onReloaded();
  }

  async function reread(connection: Sql, ids: readonly number[]): Promise<void> {
    index.apply(ids, await listIndexedProviders(connection, ids));
    onRemoved(ids.filter((id) => !index.has(id)));
  }

  /** A notification follows its commit, so only a read that starts later surely sees the change. Hence the loop. */
  function createFollower(connection: Sql): () => Promise<void> {
    let running: Promise<void> | null = null;
    async function catchUp(): Promise<void> {
      try {
        while (changedAll || changedClaims || changed.size > 0) {
          const ids = [...changed];
          const [all, claims] = [changedAll, changedClaims];
          changed.clear();
          [changedAll, changedClaims] = [false, false];
          if (claims) await readHiddenClaims(connection);
          if (all) await reload(connection);
          else if (ids.length > 0) await reread(connection, ids);
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
      const ids = payload === claimsNotice ? [] : parseNotice(payload);
      if (payload === claimsNotice) changedClaims = true;
      if (ids === null) changedAll = true;
      else for (const id of ids) changed.add(id);
      // Many notices at once are read as one.
      if (changed.size > idsMax) changedAll = true;
      onChanged(ids);
      const heardOn = follow;
      heardOn?.().then(onSynced, (error: unknown) => {
        if (follow === heardOn) listener.restart(error);
      });
    },
    async onListening(connection) {
      changedAll = true;
      follow = createFollower(connection);
      await follow();
      current = true;
      await onSynced();
    },
    onLost() {
      follow = null;
      current = false;
    },
  });

  return {
    get providers() {
      return index;
    },
    get current() {
      return current;
    },
    get hiddenClaims() {
      return hiddenClaims;
    },
    start: listener.start,
    stop: listener.stop,
  };
}

export interface IndexedProvider {
  id: number;
  /** Normalized host, or null without one. */
  domain: string | null;
}

/** All active providers and their hosts in memory, so that an unknown host or id needs no query. Empty at first. */
export function createProviderIndex() {
  const idByDomain = new Map<string, number>();
  const domainById = new Map<number, string | null>();

  function add({ id, domain }: IndexedProvider): void {
    domainById.set(id, domain);
    if (domain !== null) idByDomain.set(domain, id);
  }

  function remove(id: number): void {
    const domain = domainById.get(id) ?? null;
    // The host may belong to another provider by now; only its current owner removes it.
    if (domain !== null && idByDomain.get(domain) === id) idByDomain.delete(domain);
    domainById.delete(id);
  }

  return {
    idOf: (host: string): number | undefined => idByDomain.get(host),
    has: (id: number): boolean => domainById.has(id),
    ids: () => domainById.keys(),
    /**
     * Replaces the rows of `ids` with the database's current rows. An id without a row in `active` is removed. All are
     * removed before any is added, so that providers that swap hosts both keep one.
     */
    apply(ids: readonly number[], active: readonly IndexedProvider[]): void {
      for (const id of ids) remove(id);
      for (const provider of active) add(provider);
    },
    get size(): number {
      return domainById.size;
    },
  };
}

const rowsPerFetch = 5_000;

interface IndexRow {
  /** The driver returns bigint as text. */
  id: string;
  domain: string | null;
}

function toIndexed({ id, domain }: IndexRow): IndexedProvider {
  return { id: Number(id), domain };
}

/** Every active provider's id and host, streamed by one query in batches of a few thousand rows. */
async function* streamActiveProviders(sql: Sql): AsyncGenerator<IndexedProvider[]> {
  const query = sql<IndexRow[]>`select id::text as id, domain from providers where status = 't'`;
  for await (const rows of query.cursor(rowsPerFetch)) yield rows.map(toIndexed);
}

/** The ids of hidden claims, in order. */
async function listHiddenClaims(sql: Sql): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select claim_id as id from hidden_claims order by claim_id`;
  return rows.map(({ id }) => id);
}

/** The active providers among `ids`. */
async function listIndexedProviders(sql: Sql, ids: readonly number[]): Promise<IndexedProvider[]> {
  const rows = await sql<
    IndexRow[]
  >`select id::text as id, domain from providers where status = 't' and id = any(${[...ids]}::bigint[])`;
  return rows.map(toIndexed);
}

/** The active providers among `ids`. */
export async function listProviderRecords(db: Database, ids: number[]): Promise<ProviderRecord[]> {
  const rows = await db
    .select(pageColumns)
    .from(providers)
    .where(and(inArray(providers.id, ids), eq(providers.status, 't')));
  return rows.map((row) => toRecord(toTenantView(row)));
}

/** Id of the active provider with this host, or null. */
export async function findActiveId(db: Database, host: string): Promise<number | null> {
  const [row] = await db
    .select({ id: providers.id })
    .from(providers)
    .where(and(eq(providers.domain, host), eq(providers.status, 't')));
  return row?.id ?? null;
}
