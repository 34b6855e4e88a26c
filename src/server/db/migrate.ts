import { setTimeout as delay } from 'node:timers/promises';
import { createLog, type Log } from '../log.ts';
import { applyFunctions, applyMigrations, refuseForeignSchema } from './applyMigrations.ts';
import { connect, type Sql } from './connect.ts';
import { readFunctions, readMigrations } from './migrationFiles.ts';
import { StartFault } from './startFault.ts';
import { advisoryLocks } from './advisoryLocks.ts';

/** What migrate() needs from the generated ZIP table (features/matching/zipTable.ts). */
export interface ZipSource {
  /** Five-digit ZIPs and three-digit prefixes with their centroids in degrees. */
  entries: () => Iterable<readonly [key: string, latitude: number, longitude: number]>;
  /** Identifies the edition. */
  sha256: string;
}

interface MigrateOptions {
  /** Without it, the ZIP table in the database is not changed. */
  zipTable?: ZipSource;
  log?: Log;
  /** Ends the wait for another migrating process. A migration in progress is finished. */
  signal?: AbortSignal;
}

/** The oldest major version that is tested (test/db/postgres15.test.ts). */
const oldestPostgres = 15;

const lockWaitMs = 120_000;
const lockPollMs = 100;

/**
 * Brings the database at `url` up to date: missing migrations, changed functions, then the ZIP table if its edition
 * differs, after which providers that are located by ZIP are located again. Any number of processes may call it
 * concurrently: a session advisory lock lets one work while the others wait, for two minutes at most. `applied` counts
 * the migrations applied by this call. Needs a direct connection of the schema's owner, without a transaction-pooling
 * proxy. Throws StartFault for a server that is too old, a schema that this version cannot continue, and a lock that is
 * not released; AbortError if the signal ends the wait; the driver's errors otherwise.
 */
export async function migrate(
  url: string,
  { zipTable, log = createLog('silent'), signal }: MigrateOptions = {},
): Promise<{ applied: number }> {
  const { sql, close } = connect(url, { applicationName: 'clinic-leads-migrate', max: 1 });
  try {
    const [server] = await sql<
      { version: number }[]
    >`select current_setting('server_version_num')::int as version`;
    refuseOldServer(server?.version ?? 0);
    await takeLock(sql, { log, signal });
    const files = readMigrations();
    await refuseForeignSchema(sql, files);
    const applied = await applyMigrations(sql, files, { log, signal });
    await applyFunctions(sql, readFunctions(), { log, signal });
    if (zipTable !== undefined) await loadZipCentroids(sql, zipTable);
    return { applied };
  } finally {
    // The lock ends with the session.
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
    if (attempts === 0) log.warn('waiting for another process that migrates the database');
    if (performance.now() > until)
      throw new StartFault(
        `Another process has been migrating the database for ${lockWaitMs / 60_000} minutes; wait until it is done, or end it.`,
        { permanent: false },
      );
    await delay(lockPollMs, undefined, signal === undefined ? {} : { signal });
  }
}

async function loadZipCentroids(sql: Sql, zipTable: ZipSource): Promise<void> {
  const [loaded] = await sql<{ sha256: string }[]>`select sha256 from zip_edition`;
  if (loaded?.sha256 === zipTable.sha256) return;
  const zips: string[] = [];
  const latitudes: number[] = [];
  const longitudes: number[] = [];
  for (const [zip, latitude, longitude] of zipTable.entries()) {
    zips.push(zip);
    latitudes.push(latitude);
    longitudes.push(longitude);
  }
  await sql.begin(async (tx) => {
    await tx`delete from zip_centroids`;
    await tx`insert into zip_centroids (zip, latitude, longitude) select * from unnest(${zips}::text[], ${latitudes}::float8[], ${longitudes}::float8[])`;
    await tx`delete from zip_edition`;
    await tx`insert into zip_edition (sha256) values (${zipTable.sha256})`;
    // The trigger on providers computes the location of every written row. Unmatched leads may match a provider that
    // moved.
    await tx`
      with placed as (
        select id, location from providers where location_source is distinct from 'coordinates'
      ), moved as (
        update providers set zip_code = zip_code from placed where providers.id = placed.id
        returning providers.status = 't' and not providers.paused and providers.location is not null
          and providers.location is distinct from placed.location as can_match_more
      )
      insert into rematch_requests (at) select now() where exists (select from moved where can_match_more)`;
  });
}
