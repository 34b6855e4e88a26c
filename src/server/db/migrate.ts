import { setTimeout as delay } from 'node:timers/promises';
import { createLog, type Log } from '../log.ts';
import {
  applyFunctions,
  applyMigrations,
  countPending,
  listNewer,
  refuseForeignSchema,
  readFunctions,
  readMigrations,
} from './applyMigrations.ts';
import { connect, type Sql } from './connect.ts';
import { grantAppRole } from './grantAppRole.ts';
import { StartFault } from './startFault.ts';
import { advisoryLocks } from './advisoryLocks.ts';

interface MigrateOptions {
  /** The role of the application, which gets its rights afterwards; null if it is the one that migrates. */
  appRole?: string | null;
  log?: Log;
  /** Ends the wait for another migrating process. A migration in progress is finished. */
  signal?: AbortSignal;
}

/** The oldest major version that is tested (test/db/postgres15.test.ts). */
const oldestPostgres = 15;

const lockWaitMs = 120_000;
const lockPollMs = 100;

/**
 * Brings the database at `url` up to date: missing migrations, changed functions, then the rights of the application's
 * role. Any number of processes may call it at the same time: a session advisory lock lets one work while the others
 * wait, two minutes at most. `applied` counts the migrations that this call applied. Needs a direct connection (no
 * transaction-pooling proxy) of the schema's owner. Throws StartFault for a server that is too old, a schema that this
 * version doesn't continue, and a lock that isn't released; AbortError when the signal ends the wait; the driver's
 * errors for everything else.
 */
export async function migrate(
  url: string,
  { appRole = null, log = createLog('silent'), signal }: MigrateOptions = {},
): Promise<{ applied: number }> {
  return withMigrator(url, async (sql) => {
    await takeLock(sql, { log, signal });
    const files = readMigrations();
    await refuseForeignSchema(sql, files);
    const applied = await applyMigrations(sql, files, { log, signal });
    await applyFunctions(sql, readFunctions(), { log, signal });
    if (appRole !== null) await grantAppRole(sql, appRole);
    return { applied };
  });
}

/**
 * Throws StartFault unless the database has this version's migrations. Accepts and logs a newer version's, so that this
 * one can start again after an upgrade. Changes nothing, and needs no right to.
 */
export async function requireMigrated(url: string, log: Log = createLog('silent')): Promise<void> {
  await withMigrator(url, async (sql) => {
    const files = readMigrations();
    const newer = await listNewer(sql, files);
    if (newer.length > 0)
      log.warn({ event: 'migration.newer', migrations: newer }, 'a newer version has migrated the database');
    await refuseForeignSchema(sql, files, { acceptsNewer: true });
    // A newer version's functions stay: they serve both.
    const pending = await countPending(sql, files, newer.length > 0 ? [] : readFunctions());
    if (pending > 0)
      throw new StartFault(
        `The database isn't up to date (${pending} pending migrations and functions), and MIGRATE_ON_START is off. Run npm run db:migrate, then start again.`,
        { permanent: true },
      );
  });
}

/** Runs work on one connection to a supported server. What the session locks is released afterwards. */
async function withMigrator<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const { sql, close } = connect(url, { applicationName: 'clinic-leads-migrate', max: 1 });
  try {
    const [server] = await sql<
      { version: number }[]
    >`select current_setting('server_version_num')::int as version`;
    refuseOldServer(server?.version ?? 0);
    return await work(sql);
  } finally {
    await close();
  }
}

/** Throws StartFault unless `server_version_num` (180004 for 18.4) is of a supported version. */
export function refuseOldServer(versionNumber: number): void {
  const major = Math.floor(versionNumber / 10_000);
  if (major < oldestPostgres)
    throw new StartFault(
      `The database server is Postgres ${major}; Postgres ${oldestPostgres} or newer is needed. Upgrade it, or check DATABASE_URL.`,
      { permanent: true },
    );
}

/** Polls, so that the wait can be logged and ended. */
async function takeLock(
  sql: Sql,
  { log, signal }: { log: Log; signal: AbortSignal | undefined },
): Promise<void> {
  const until = performance.now() + lockWaitMs;
  for (let attempts = 0; ; attempts += 1) {
    signal?.throwIfAborted();
    const [row] = await sql<
      { taken: boolean }[]
    >`select pg_try_advisory_lock(${advisoryLocks.migrate}) as taken`;
    if (row?.taken === true) return;
    if (attempts === 0)
      log.warn({ event: 'migration.waiting' }, 'waiting for another process that migrates the database');
    if (performance.now() > until)
      throw new StartFault(
        `Another process has been migrating the database for ${lockWaitMs / 60_000} minutes; wait until it is done, or end it.`,
        { permanent: false },
      );
    await delay(lockPollMs, undefined, signal === undefined ? {} : { signal });
  }
}
