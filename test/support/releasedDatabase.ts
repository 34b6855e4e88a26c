import { join } from 'node:path';
import { applyMigrations, readMigrations } from '#server/db/applyMigrations.ts';
import { createLog } from '#server/log.ts';
import { prepareDatabase } from '#server/startup/prepareDatabase.ts';
import { loadTables } from '#scripts/backup/loadTables.ts';
import { readManifest } from '#scripts/backup/manifest.ts';
import { testDb, type TestDb } from './testDb.ts';

const folder = join(import.meta.dirname, '../upgrade/1.0.0');

/**
 * The database that 1.0.0's own build filled (test/upgrade/makeFixture.ts). With `isUpgraded`, it is migrated to this
 * version, as a start does. With `isMigratedFirst`, 1.0.0 filled it after that, as its processes do during an upgrade
 * and after a rollback.
 */
export async function releasedDatabase({
  isUpgraded = true,
  isMigratedFirst = false,
}: { isUpgraded?: boolean; isMigratedFirst?: boolean } = {}): Promise<TestDb> {
  const database = await testDb({ isEmpty: true });
  const { migrations, tables, sequences } = await readManifest(folder);
  const applied = new Set(migrations.map(({ name }) => name));
  const files = readMigrations().filter(({ name }) => isMigratedFirst || applied.has(name));
  await applyMigrations(database.sql, files, { log: createLog('silent') });
  const copied = tables.flatMap((table) => ('file' in table ? [table] : []));
  await loadTables(database.sql, { folder, sequences, tables: copied });
  if (isUpgraded) await prepareDatabase({ url: database.url, ownerUrl: null });
  return database;
}

/** The columns of 1.0.0 by table. */
export async function releasedColumns(): Promise<ReadonlyMap<string, readonly string[]>> {
  const { tables } = await readManifest(folder);
  return new Map(tables.flatMap((table) => ('file' in table ? [[table.name, table.columns] as const] : [])));
}
