import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { applyMigrations, readMigrations } from '#server/db/applyMigrations.ts';
import { connect, type Sql } from '#server/db/connect.ts';
import { createLog } from '#server/log.ts';
import { prepareDatabase } from '#server/startup/prepareDatabase.ts';
import { countRows } from './copyTables.ts';
import { keyFingerprint, lostWithoutKeys } from './keyFingerprint.ts';
import { loadTables } from './loadTables.ts';
import { type CopiedTable, type Manifest, readManifest, refuseOtherSchema, verifyFiles } from './manifest.ts';
import { programMajor, restoreDump } from './pgDump.ts';

interface RestoreOptions {
  /** Of the application's role. */
  url: string;
  /** Of the role that owns the schema; null: the application's role does. */
  ownerUrl: string | null;
  folder: string;
  secretKeys: readonly string[];
  /** Restores although the keys aren't those of the backup. */
  withoutKeys?: boolean;
}

/**
 * Restores a backup into an empty database and migrates it to this version. Everything is checked before anything is
 * written. Replays no ledger. Throws a sentence for a backup that is incomplete, changed, or newer than this version,
 * for a database that isn't empty, and for other secret keys.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const { url, ownerUrl } = options;
  const folder = resolve(options.folder);
  const manifest = await readManifest(folder);
  const files = readMigrations();
  refuseOtherSchema(manifest, files);
  if (options.withoutKeys !== true) refuseOtherKeys(manifest, options.secretKeys);
  await verifyFiles(folder, manifest);
  if (manifest.method === 'pg_dump') await requirePgRestore();
  const { sql, close } = connect(ownerUrl ?? url, { applicationName: 'clinic-leads-restore', max: 1 });
  try {
    await refuseTables(sql);
    const applied = new Set(manifest.migrations.map(({ name }) => name));
    const log = createLog('silent');
    if (manifest.method === 'copy') {
      await applyMigrations(
        sql,
        files.filter(({ name }) => applied.has(name)),
        { log },
      );
      const { tables, sequences } = manifest;
      await loadTables(sql, { folder, sequences, tables: tables.filter(isCopied) });
    } else {
      const [extensions] = files;
      if (extensions !== undefined) await sql.unsafe(extensions.text);
      await withScratch((scratch) => restoreDump({ url: ownerUrl ?? url, folder, scratch }));
      await verifyRows(sql, manifest);
    }
    // Without statistics, the first queries read whole tables.
    await sql`analyze`;
  } finally {
    await close();
  }
  await prepareDatabase({ url, ownerUrl });
  return manifest;
}

function isCopied(table: Manifest['tables'][number]): table is CopiedTable {
  return 'file' in table;
}

function refuseOtherKeys({ keyFingerprints }: Manifest, secretKeys: readonly string[]): void {
  const present = new Set(secretKeys.map(keyFingerprint));
  if (keyFingerprints.every((print) => present.has(print))) return;
  const lost = keyFingerprints.filter((print) => !present.has(print)).length;
  throw new Error(
    [
      `SECRET_KEYS lacks ${lost} of the backup's ${keyFingerprints.length} keys. What they sealed and signed is lost without them:`,
      ...lostWithoutKeys.map((loss) => `  - ${loss}`),
      'Set SECRET_KEYS to the keys that the backup was made with, or add --without-keys. Nothing was restored.',
    ].join('\n'),
  );
}

async function requirePgRestore(): Promise<void> {
  if ((await programMajor('pg_restore')) === null)
    throw new Error('This backup was made with pg_dump. Install pg_restore of the same version or newer.');
}

/** Tables, views and sequences of anybody but extensions. */
async function refuseTables(sql: Sql): Promise<void> {
  const found = await sql<{ name: string }[]>`
    select format('%I.%I', nspname, relname) as name
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p', 'v', 'm', 'S', 'f') and nspname !~ '^(pg_|information_schema$)'
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    order by name limit 3`;
  if (found.length > 0)
    throw new Error(
      `The database isn't empty (${found.map(({ name }) => name).join(', ')}). Create an empty one (createdb), name it in DATABASE_URL and restore again; for the embedded Postgres, stop the product and move the folder postgres in DATA_DIR away. Nothing was restored.`,
    );
}

async function withScratch(work: (folder: string) => Promise<void>): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'restore-'));
  try {
    await work(scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function verifyRows(sql: Sql, { tables }: Manifest): Promise<void> {
  for (const { name, rows } of tables) {
    const restored = await countRows(sql, name);
    if (restored !== rows) throw new Error(`${name} has ${restored} rows instead of ${rows}.`);
  }
}
