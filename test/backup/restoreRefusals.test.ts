import { appendFile, readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createBackup } from '#scripts/backup/createBackup.ts';
import { readManifest, writeManifest } from '#scripts/backup/manifest.ts';
import { restoreBackup } from '#scripts/backup/restoreBackup.ts';
import { backupFolder, storeManyLeads } from '#test/support/backupSetup.ts';
import { runCommand } from '#test/support/command.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { testSecret } from '#test/support/testKeys.ts';
import { twoRoles } from '#test/support/twoRoles.ts';

/** A backup of a few leads, and an empty database. */
async function setUp() {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(await backupFolder());
  const source = stack.use(await testDb());
  const target = stack.use(await testDb({ isEmpty: true }));
  await storeManyLeads(source, 3);
  const made = await createBackup({
    ...{ url: source.url, folder: folder.backup, secretKeys: [testSecret], hasLedger: false },
    method: 'copy',
  });
  const restore = (secretKeys = [testSecret], withoutKeys = false) =>
    restoreBackup({ url: target.url, ownerUrl: null, folder: folder.backup, secretKeys, withoutKeys });
  return {
    ...{ folder, source, target, made, restore },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function listTables({ sql }: TestDb): Promise<number> {
  return (await sql`select 1 from pg_tables where schemaname = 'public'`).length;
}

test('a restore refuses the backup of a newer version and writes nothing', async () => {
  await using at = await setUp();
  const later = { name: '9999_later', sha256: 'a'.repeat(64) };
  const newer = { ...at.made, migrations: [...at.made.migrations, later], product: '99.0.0' };
  await writeManifest(at.folder.backup, newer);
  await expect(at.restore()).rejects.toThrow(/^A newer version \(99\.0\.0\) .* doesn't know 9999_later\./);
  expect(await listTables(at.target)).toBe(0);
});

test('a restore refuses a changed file and a missing one and writes nothing', async () => {
  await using at = await setUp();
  const file = join(at.folder.backup, 'leads.copy.gz');
  await appendFile(file, 'x');
  await expect(at.restore()).rejects.toThrow(/^leads\.copy\.gz isn't the file that was backed up/);
  await unlink(file);
  await expect(at.restore()).rejects.toThrow(/^leads\.copy\.gz is missing/);
  expect(await listTables(at.target)).toBe(0);
});

test('a restore refuses a backup that was interrupted', async () => {
  await using at = await setUp();
  await unlink(join(at.folder.backup, 'manifest.json'));
  await expect(at.restore()).rejects.toThrow(/has no manifest\.json: it is no backup/);
});

test('a restore refuses a database with tables', async () => {
  await using at = await setUp();
  await at.target.sql`create table notes (id int)`;
  await expect(at.restore()).rejects.toThrow(/^The database isn't empty \(public\.notes\)/);
  expect(await listTables(at.target)).toBe(1);
});

test('a restore refuses other secret keys and says what is lost without them', async () => {
  await using at = await setUp();
  const other = ['another-key-another-key-another-01'];
  await expect(at.restore(other)).rejects.toThrow(/lacks 1 of the backup's 1 keys[^]*Links in messages/);
  expect(await listTables(at.target)).toBe(0);
  await at.restore(other, true);
  expect(await at.target.sql`select 1 from leads`).toHaveLength(3);
});

test('a restored database has the same rows, keys and sequences as the original', async () => {
  await using at = await setUp();
  await at.source.sql`update leads set first_name = ${'tab\t"quote" \\ line\nnext Ünïcode {1,2} \\N'}`;
  await using second = await backupFolder();
  const options = { url: at.source.url, secretKeys: [testSecret], hasLedger: false };
  await createBackup({ ...options, folder: second.backup, method: 'copy' });
  await restoreBackup({ ...options, ownerUrl: null, url: at.target.url, folder: second.backup });
  const describeRows = async ({ sql }: TestDb): Promise<unknown> => {
    const tables = await sql<{ name: string }[]>`
      select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations' order by 1`;
    const found: unknown[] = [];
    for (const { name } of tables)
      found.push([
        name,
        ...(await sql`select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as md5 from ${sql(name)} t`),
      ]);
    const keys = await sql`select conname, pg_get_constraintdef(oid) as definition from pg_constraint
      where connamespace = 'public'::regnamespace order by 1, 2`;
    const sequences = await sql`select sequencename, last_value::text from pg_sequences order by 1`;
    return [found, [...keys], [...sequences]];
  };
  expect(await describeRows(at.target)).toEqual(await describeRows(at.source));
});

test('a backup can be read by its owner only and contains no secret key', async () => {
  await using at = await setUp();
  const { backup } = at.folder;
  const files = await readdir(backup);
  expect(files.length).toBeGreaterThan(20);
  expect((await stat(backup)).mode & 0o777).toBe(0o700);
  for (const file of files)
    expect([file, (await stat(join(backup, file))).mode & 0o777]).toEqual([file, 0o600]);
  expect(await readFile(join(backup, 'manifest.json'), 'utf8')).not.toContain(testSecret);
});

test('--with-keys writes the secret keys beside the folder of the backup', async () => {
  await using folder = await backupFolder();
  await using source = await testDb();
  const args = [folder.backup, '--method', 'copy', '--with-keys'];
  const { status } = await runCommand('backup', args, { DATABASE_URL: source.url, SECRET_KEYS: testSecret });
  expect(status).toBe(0);
  const file = `${folder.backup}.secret-keys`;
  expect(await readFile(file, 'utf8')).toBe(`${testSecret}\n`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('a backup refuses a folder with files', async () => {
  await using at = await setUp();
  const { backup } = at.folder;
  const options = { url: at.source.url, folder: backup, secretKeys: [testSecret], hasLedger: false };
  await expect(createBackup({ ...options, method: 'copy' })).rejects.toThrow(/isn't empty/);
  expect((await readManifest(backup)).at).toBe(at.made.at);
});

test('a backup refuses a database without tables and one with pending migrations', async () => {
  await using folder = await backupFolder();
  await using empty = await testDb({ isEmpty: true });
  await using old = await testDb();
  await old.sql`delete from schema_migrations where name = (select max(name) from schema_migrations)`;
  const options = { folder: folder.backup, secretKeys: [testSecret], hasLedger: false };
  await expect(createBackup({ ...options, url: empty.url })).rejects.toThrow(/has no tables of this product/);
  await expect(createBackup({ ...options, url: old.url })).rejects.toThrow(/has pending migrations/);
});

test('a restore without LEDGER_URL refuses a backup whose database shipped a ledger', async () => {
  await using at = await setUp();
  await writeManifest(at.folder.backup, { ...at.made, ledger: { ...at.made.ledger, isConfigured: true } });
  const env = { DATABASE_URL: at.target.url, SECRET_KEYS: testSecret };
  const refused = await runCommand('restore', [at.folder.backup], env);
  expect(refused).toEqual({ status: 1, output: expect.stringContaining('LEDGER_URL isn’t set') });
  expect(await listTables(at.target)).toBe(0);
  const { status, output } = await runCommand('restore', [at.folder.backup, '--without-ledger'], env);
  expect([status, output]).toEqual([0, expect.stringContaining('No ledger was replayed')]);
});

test('a manifest that names a file outside its folder is refused', async () => {
  await using at = await setUp();
  const [first, ...others] = at.made.files;
  if (first === undefined) throw new Error('no files');
  const files = [{ ...first, name: '../secret' }, ...others];
  await writeFile(join(at.folder.backup, 'manifest.json'), JSON.stringify({ ...at.made, files }));
  await expect(at.restore()).rejects.toThrow(/can't be read/);
});

test('a restore as the owner gives the application role its rights', async () => {
  await using at = await setUp();
  await using roles = await twoRoles();
  const { appUrl: url, ownerUrl } = roles;
  await restoreBackup({ url, ownerUrl, folder: at.folder.backup, secretKeys: [testSecret] });
  const [rights] = await roles.database.sql`
    select has_table_privilege(${roles.appRole}, 'leads', 'insert') as may_insert,
      has_table_privilege(${roles.appRole}, 'consent_records', 'delete') as may_delete`;
  expect(rights).toEqual({ may_insert: true, may_delete: false });
  expect(await roles.database.sql`select 1 from leads`).toHaveLength(3);
});
