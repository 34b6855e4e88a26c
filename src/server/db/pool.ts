import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import type { Log } from '../log.ts';
import { databaseUp, poolReplacements, probeSeconds } from '../metrics.ts';
import {
  type DatabaseHealth,
  defaultTimings,
  isServerFull,
  type PoolReport,
  type PoolWatchdog,
  startWatchdog,
  type WatchTimings,
} from './poolWatchdog.ts';

export type Sql = postgres.Sql;

/** What the pools of one process share: the main pool and its side connections. */
export interface PoolGroup {
  /** Null: not watched. */
  timings: WatchTimings | null;
  log: Log | undefined;
  replacements: number;
  busyCheck: Promise<BusyPools> | null;
  members: Set<() => PoolReport>;
  /** Where side connections go; null: where the main pool goes. */
  direct: Address | null;
}

/** Where a pool connects and as whom. */
export type Address = Pick<
  Sql['options'],
  'host' | 'port' | 'path' | 'user' | 'pass' | 'database' | 'ssl' | 'target_session_attrs' | 'connection'
>;

export interface Pool {
  /** Stays the same when the pool behind it is replaced. */
  sql: Sql;
  health: DatabaseHealth;
}

interface PoolOptions {
  /** The first pool. Its replacements have the same options. */
  first: Sql;
  family: PoolGroup;
  /** `main`, whose state is the metric `database_up`, or the purpose of a side connection. */
  name: string;
}

/** The name of a family's first pool, whose state is the database's. */
export const mainName = 'main';
export const replicaName = 'replica';

const families = new WeakMap<Sql, PoolGroup>();

export function getFamily(sql: Sql): PoolGroup {
  return families.get(sql) ?? newFamily(false, undefined, null);
}

/** `direct` was opened for the address of side connections, and is never used itself. */
export function newFamily(
  watch: boolean | Partial<WatchTimings>,
  log: Log | undefined,
  direct: Sql | null,
): PoolGroup {
  const timings = watch === false ? null : { ...defaultTimings, ...(watch === true ? {} : watch) };
  return {
    timings,
    log,
    replacements: 0,
    busyCheck: null,
    members: new Set(),
    direct: direct === null ? null : getAddress(direct),
  };
}

function getAddress({ options }: Sql): Address {
  const { host, port, path, user, pass, database, ssl, target_session_attrs, connection } = options;
  return { host, port, path, user, pass, database, ssl, target_session_attrs, connection };
}

type DriverOptions = postgres.Options<Record<string, never>>;

/** A pool with the parsed options of another, some of its own, and perhaps another address. */
export function openWith(
  { options }: Sql,
  changes: DriverOptions & { shared?: object },
  address: Partial<Address> = {},
): Sql {
  const all: DriverOptions = Object.assign({}, options, address, changes);
  return postgres(all);
}

/** Names of the pools on whose statements the server works, or 'full' if it has no connection left. */
type BusyPools = ReadonlySet<string> | 'full';

/**
 * Asks over a separate connection on which pools' statements the server works. None if there is no timely response. A
 * proxy whose sessions are all in use would not respond, so it asks beside it.
 */
async function findBusyPools(pool: Sql, direct: Address | null, timeoutMs: number): Promise<BusyPools> {
  const { connection } = direct ?? pool.options;
  const own = {
    max: 1,
    connect_timeout: timeoutMs / 1_000,
    connection: { ...connection, application_name: `watchdog of ${getName(pool)}` },
    onclose: () => undefined,
  };
  const asking = openWith(pool, own, direct ?? {});
  // A session that waits for its client is not working: the client may be gone. The names are this process's own
  // (`processTag`), whichever proxy the sessions come from.
  const working = asking<{ name: string }[]>`
    select distinct application_name as name from pg_stat_activity
    where state = 'active' and wait_event_type is distinct from 'Client'`;
  try {
    const rows = await Promise.race([working, delay(timeoutMs, [], { ref: false })]);
    return new Set(rows.map(({ name }) => name));
  } catch (error) {
    return isServerFull(error) ? 'full' : new Set();
  } finally {
    await asking.end({ timeout: 0 });
  }
}

/**
 * Whether the server works on statements of this pool. Pools of a family that ask during a check share it, so that a
 * process opens one connection for this at most. A full server has responded, so the pool is not silent: true.
 */
async function isBusy(pool: Sql, family: PoolGroup, timeoutMs: number): Promise<boolean> {
  family.busyCheck ??= findBusyPools(pool, family.direct, timeoutMs).finally(() => (family.busyCheck = null));
  const busy = await family.busyCheck;
  return busy === 'full' || busy.has(getName(pool));
}

function getName(pool: Sql): string {
  return pool.options.connection.application_name ?? '';
}

/**
 * Replaces a silent pool: destroys it, so that pending queries fail with a connection error, and uses a new one. `sql`
 * forwards to the current one (less than a microsecond per query), and ending it ends the watch.
 */
export function openPool({ first, family, name }: PoolOptions): Pool {
  let current = first;
  const { timings, log } = family;
  let replacements = 0;
  const watchdog = timings === null ? null : watch(timings);
  const state = (): PoolReport['state'] => watchdog?.state() ?? 'unknown';
  const silentMs = (): number => watchdog?.silentMs() ?? Infinity;
  const report = (): PoolReport => ({ name, state: state(), silentMs: silentMs(), replacements });
  if (watchdog !== null) family.members.add(report);

  function watch(given: WatchTimings): PoolWatchdog {
    const pool = current.options.connection.application_name;
    const { onclose } = current.options;
    const dog = startWatchdog({
      timings: given,
      probe: () => current`select 1`.execute(),
      isBusy: () => isBusy(current, family, given.lateAfterMs),
      replace(silentForMs) {
        const old = current;
        current = openWith(old, {});
        family.replacements += 1;
        replacements += 1;
        poolReplacements.inc({ pool: name });
        log?.error(
          { event: 'database-pool.replaced', pool, silentMs: Math.round(silentForMs) },
          'replaced a silent database pool',
        );
        old.end({ timeout: 0 }).catch(() => undefined);
      },
      onBusy: (silentForMs) =>
        log?.warn(
          { event: 'database-pool.busy', pool, silentMs: Math.round(silentForMs) },
          'every database connection is busy',
        ),
      onProbe: (tookMs) => probeSeconds.observe({ pool: name }, tookMs / 1_000),
      onState(to, error) {
        if (name === mainName) databaseUp.set(to === 'up' ? 1 : 0);
        if (to === 'down')
          log?.warn({ event: 'database.down', err: error, pool }, 'the database does not answer');
        else log?.info({ event: 'database.up', pool }, 'the database answers');
      },
    });
    current.options.onclose = (connectionId) => {
      onclose?.(connectionId);
      dog.connectionLost();
    };
    return dog;
  }

  const end: Sql['end'] = (options) => {
    watchdog?.stop();
    family.members.delete(report);
    return current.end(options);
  };
  const sql = new Proxy(current, {
    apply: (_target, _this, parts) => Reflect.apply(current, undefined, parts),
    get: (_target, key) => (key === 'end' ? end : Reflect.get(current, key)),
  });
  families.set(sql, family);
  const health: DatabaseHealth = {
    state,
    silentMs,
    replacements: () => family.replacements,
    pools: () => [...family.members].map((member) => member()),
  };
  return { sql, health };
}
