import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator';
import { installJobs } from '../jobs/installJobs.ts';
import { createLog, type Log } from '../log.ts';
import { connect, type Sql } from './connect.ts';

/** What migrate() needs of the generated ZIP table (features/matching/zipTable.ts). */
export interface ZipSource {
  /** Five-digit ZIPs and three-digit prefixes with their centroids in degrees. */
  entries: () => Iterable<readonly [key: string, latitude: number, longitude: number]>;
  /** Names the edition. */
  sha256: string;
}

interface MigrateOptions {
  /** Without it the ZIP table in the database stays as it is. */
  zipTable?: ZipSource;
  log?: Log;
}

const migrationsFolder = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** Any number that nothing else in the database locks on ("migrate" on a phone's keys). */
const migrationLock = 6_447_283;
const lockWait = '2min';

/**
 * Brings the database at `url` up to date: migrations and the job queue's tables, then the ZIP table when its edition differs, after which clinics that stand on a
 * centroid are placed anew. Any number of processes may call it at once: a session advisory lock lets one work while the others wait, two
 * minutes at most. `applied` counts the migrations this call applied. Needs a direct connection (no transaction-pooling proxy).
 */
export async function migrate(url: string, { zipTable, log = createLog('silent') }: MigrateOptions = {}): Promise<{ applied: number }> {
  const { sql, close } = connect(url, { applicationName: 'clinic-leads-migrate', max: 1 });
  try {
    await sql`select set_config('lock_timeout', ${lockWait}, false)`;
    await sql`select pg_advisory_lock(${migrationLock})`;
    const before = await countApplied(sql);
    await applyMigrations(drizzle(sql), { migrationsFolder });
    const applied = (await countApplied(sql)) - before;
    await installJobs(sql, log);
    if (zipTable !== undefined) await loadZipCentroids(sql, zipTable);
    return { applied };
  } finally {
    // The lock goes with the session.
    await close();
  }
}

async function countApplied(sql: Sql): Promise<number> {
  const [table] = await sql<
    { exists: boolean }[]
  >`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`;
  if (table?.exists !== true) return 0;
  const [row] = await sql<
    { count: number }[]
  >`select count(*)::int as count from drizzle.__drizzle_migrations`;
  return row?.count ?? 0;
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
    // The trigger on providers places a clinic whenever its row is written.
    await tx`update providers set zip_code = zip_code where location_source is distinct from 'coordinates'`;
  });
}
