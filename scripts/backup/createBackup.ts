import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type postgres from 'postgres';
import { sql } from 'drizzle-orm';
import { listApplied, refuseForeignSchema, readMigrations } from '#server/db/applyMigrations.ts';
import { connect, type Database, type Sql } from '#server/db/connect.ts';
import { readLedgerPosition } from '#server/features/ledger/ledgerReplay.ts';
import { readLedgerLag } from '#server/features/ledger/shipLedger.ts';
import { createDataKeys } from '#server/security/dataKeys.ts';
import { version } from '#server/version.ts';
import { copyTables, countRows, listTables, readSequences } from './copyTables.ts';
import { keyFingerprint } from './keyFingerprint.ts';
import { type BackupMethod, type Manifest, sha256OfFile, writeManifest } from './manifest.ts';
import { dumpDatabase, dumpFile, programMajor } from './pgDump.ts';

interface BackupOptions {
  /** Of a role that may read every table. */
  url: string;
  folder: string;
  secretKeys: readonly string[];
  /** Whether LEDGER_URL is set. */
  hasLedger: boolean;
  /** By default pg_dump if it is installed and not older than the server. */
  method?: BackupMethod | undefined;
  /** Writes the secret keys to `<folder>.secret-keys`. */
  withKeys?: boolean;
}

/** Throws a sentence if the folder has files. */
async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0)
    throw new Error(`${folder} isn't empty. Name a new folder for each backup.`);
}

interface Server {
  version: string;
  major: number;
}

async function readServer(client: Sql): Promise<Server> {
  const [row] = await client<Server[]>`
    select split_part(current_setting('server_version'), ' ', 1) as version,
      current_setting('server_version_num')::int / 10000 as major`;
  if (row === undefined) throw new Error('the server reported no version');
  return row;
}

/** Throws a sentence if pg_dump is requested and can't read this server. */
async function chooseMethod({ major }: Server, method: BackupMethod | undefined): Promise<BackupMethod> {
  if (method === 'copy') return method;
  const installed = await programMajor('pg_dump');
  if (installed !== null && installed >= major) return 'pg_dump';
  if (method === undefined) return 'copy';
  throw new Error(
    installed === null
      ? 'pg_dump is not installed. Install it, or use --method copy.'
      : `pg_dump ${installed} is older than the server (${major}). Install a newer one, or use --method copy.`,
  );
}

/** Throws a sentence unless this version made the tables. */
async function requireCurrentSchema(client: Sql): Promise<void> {
  const files = readMigrations();
  await refuseForeignSchema(client, files);
  const applied = new Set((await listApplied(client))?.map(({ name }) => name));
  if (applied.size === 0) throw new Error('The database has no tables of this product. Check DATABASE_URL.');
  if (files.some(({ name }) => !applied.has(name)))
    throw new Error(
      'The database has pending migrations. Back it up with the version that is running, or run npm run db:migrate first.',
    );
}

/**
 * Backs up the database at `url` to a new folder: one consistent snapshot, while the product runs. Returns the
 * manifest. Throws a sentence for a folder with files, an unprepared database or a missing program.
 */
export async function createBackup(options: BackupOptions): Promise<Manifest> {
  const { url, secretKeys } = options;
  const folder = resolve(options.folder);
  const connection = connect(url, { applicationName: 'clinic-leads-backup', max: 2 });
  try {
    const server = await readServer(connection.sql);
    const method = await chooseMethod(server, options.method);
    await requireCurrentSchema(connection.sql);
    // Created now if they don't exist yet, so that the shipped ledger can be verified after a restore.
    const dataKeys = createDataKeys({ db: connection.db, secretKeys });
    await dataKeys.current('identity');
    await dataKeys.current('erasure-ledger');
    await makeFolder(folder);
    const content = await connection.sql.begin('isolation level repeatable read read only', (tx) =>
      writeFiles(tx, { ...options, folder, method, server, db: connection.db }),
    );
    await writeManifest(folder, content);
    if (options.withKeys === true)
      await writeFile(`${folder}.secret-keys`, `${secretKeys.join(',')}\n`, { mode: 0o600, flag: 'wx' });
    return content;
  } finally {
    await connection.close();
  }
}

interface Writing extends BackupOptions {
  method: BackupMethod;
  server: Server;
  db: Database;
}

async function writeFiles(
  tx: postgres.TransactionSql,
  { db, url, folder, method, server, secretKeys, hasLedger }: Writing,
): Promise<Manifest> {
  const [taken] = await tx<{ snapshot: string; now: string }[]>`
    select pg_export_snapshot() as snapshot, to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`;
  if (taken === undefined) throw new Error('the server gave no snapshot');
  const { snapshot } = taken;
  const migrations = (await listApplied(tx)) ?? [];
  const ledger = await readLedger(db, snapshot);
  const written =
    method === 'copy' ? await copyTables(tx, folder) : await writeDump(tx, { url, folder, snapshot });
  return {
    format: 1,
    product: version,
    at: taken.now,
    method,
    postgres: server.version,
    migrations: migrations.map(({ name, sha256 }) => ({ name, sha256 })),
    ...written,
    sequences: method === 'copy' ? await readSequences(tx) : [],
    keyFingerprints: secretKeys.map(keyFingerprint),
    ledger: { isConfigured: hasLedger, ...ledger },
  };
}

/** The state of the ledger in the snapshot, which the transaction that exported it keeps. */
function readLedger(db: Database, snapshot: string): Promise<Omit<Manifest['ledger'], 'isConfigured'>> {
  return db.transaction(
    async (tx) => {
      await tx.execute(sql.raw(`set transaction snapshot '${snapshot}'`));
      const { sequence, at } = await readLedgerPosition(tx);
      const { unshipped, oldestSeconds } = await readLedgerLag(tx);
      return {
        sequence,
        at: at?.toISOString() ?? null,
        unshipped,
        oldestUnshippedSeconds: Math.round(oldestSeconds),
      };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

async function writeDump(
  tx: postgres.TransactionSql,
  { url, folder, snapshot }: Pick<Writing, 'url' | 'folder'> & { snapshot: string },
): Promise<Pick<Manifest, 'tables' | 'files'>> {
  await dumpDatabase({ url, folder, snapshot });
  const tables: Manifest['tables'] = [];
  for (const { name } of await listTables(tx)) tables.push({ name, rows: await countRows(tx, name) });
  const path = join(folder, dumpFile);
  const { size } = await stat(path);
  return { tables, files: [{ name: dumpFile, bytes: size, sha256: await sha256OfFile(path) }] };
}
