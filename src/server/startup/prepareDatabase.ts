import { connect } from '../db/connect.ts';
import { parseDatabaseUrl } from '../db/databaseUrl.ts';
import { migrate, requireMigrated } from '../db/migrate.ts';
import { toStartFault } from '../db/startFault.ts';
import { loadZipCentroids, loadZipTable } from '../features/matching/zipTable.ts';
import { relocateProviders } from '../features/providers/writeProviders.ts';
import type { Log } from '../log.ts';

interface PrepareOptions {
  /** Of the application's role. */
  url: string;
  /** The same without a proxy that pools transactions; null: `url` leads to no such proxy. */
  directUrl?: string | null;
  /** Of the role that owns the schema; null: the application's role owns it. */
  ownerUrl: string | null;
  /** Whether to apply what is pending; otherwise it is refused. */
  migrates?: boolean;
  log?: Log;
  /** Ends the wait for another process that migrates. */
  signal?: AbortSignal;
}

/** Applies migrations, role rights and the ZIP table. Returns how many migrations it applied. Throws StartFault. */
export async function prepareDatabase({
  url: givenUrl,
  directUrl = null,
  ownerUrl,
  migrates = true,
  ...options
}: PrepareOptions): Promise<{ applied: number }> {
  const url = directUrl ?? givenUrl;
  const variable = directUrl === null ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
  const migrating = migrates
    ? migrate(ownerUrl ?? url, { ...options, appRole: findAppRole(url, ownerUrl) })
    : requireMigrated(url, options.log).then(() => ({ applied: 0 }));
  const { applied } = await migrating.catch((error: unknown) => {
    throw migrates && ownerUrl !== null
      ? toStartFault(error, ownerUrl, 'DATABASE_OWNER_URL')
      : toStartFault(error, url, variable);
  });
  const { db, close } = connect(url, { applicationName: 'clinic-leads-prepare', max: 1 });
  try {
    await loadZipCentroids(db, { zipTable: loadZipTable(), onChange: relocateProviders });
  } catch (error) {
    throw toStartFault(error, url, variable);
  } finally {
    await close();
  }
  return { applied };
}

/** The role that needs rights from the owner; null if it is the same one. */
function findAppRole(url: string, ownerUrl: string | null): string | null {
  if (ownerUrl === null) return null;
  const { user } = parseDatabaseUrl(url);
  return user === parseDatabaseUrl(ownerUrl).user ? null : user;
}
