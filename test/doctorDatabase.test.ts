import { expect, test } from 'vitest';
import {
  collationGaps,
  keyGaps,
  migrationGaps,
  providerGaps,
  readCollationGaps,
  roleGaps,
  signInGaps,
  workerGaps,
} from '#scripts/doctorGaps.ts';
import { startSchedules } from '#server/background/schedules.ts';
import { parseConfig } from '#server/config/config.ts';
import { connect } from '#server/db/connect.ts';
import { countWorkers } from '#server/features/deliveries/queueHealth.ts';
import { createLog } from '#server/log.ts';
import { prepareDatabase } from '#server/startup/prepareDatabase.ts';
import { runCommand } from './support/command.ts';
import { insertProvider } from './support/factories.ts';
import { documentedEnvironment } from './support/productionEnvironment.ts';
import { insertAccount } from './support/staff.ts';
import { testDb } from './support/testDb.ts';
import { testDataKeys, testSecret } from './support/testKeys.ts';
import { twoRoles } from './support/twoRoles.ts';
import { startWorkerProcess } from './support/workerProcess.ts';

test('a worker that isn’t running is reported only where web processes need one', async () => {
  await using roles = await twoRoles();
  await prepareDatabase({ url: roles.appUrl, ownerUrl: roles.ownerUrl });
  const { db, close } = connect(roles.appUrl, { applicationName: 'doctor', max: 1 });
  const texts = async (worker: 'inline' | 'off'): Promise<string[]> =>
    (await workerGaps(db, { worker })).map(({ text }) => text);
  expect(await texts('inline')).toEqual([]);
  expect(await texts('off')).toEqual(['No worker is running: nothing is delivered.']);
  // What a worker opens first and keeps, as the application's role.
  const process = connect(roles.appUrl, { applicationName: 'clinic-leads-worker', max: 1 });
  const { stop } = await startSchedules({ sql: process.sql, log: createLog('silent'), schedules: [] });
  expect(await texts('off')).toEqual([]);
  await stop(0);
  await process.close();
  await expect.poll(() => texts('off')).toEqual(['No worker is running: nothing is delivered.']);
  await close();
});

test('a dashboard that nobody can sign in to is reported', async () => {
  await using database = await testDb();
  const { db } = database;
  const withPassword = parseConfig(documentedEnvironment);
  const withoutPassword = { ...withPassword, adminPasswordHash: null };
  expect(await signInGaps(db, withPassword)).toEqual([]);
  expect((await signInGaps(db, withoutPassword)).map(({ text }) => text)).toEqual([
    expect.stringMatching(/^Nobody can sign in to the dashboard/),
  ]);
  await insertAccount(database, 'viewer');
  expect(await signInGaps(db, withoutPassword)).toEqual([]);
});

test('migrations that the database lacks are an error, those of a newer version none', async () => {
  await using database = await testDb();
  const { db, sql } = database;
  expect(await migrationGaps(db)).toEqual([]);
  await sql`insert into schema_migrations (name, sha256) values ('9999_newer', 'x')`;
  expect(await migrationGaps(db)).toEqual([]);
  await sql`delete from schema_migrations where name like '0000%' or name like '9999%'`;
  expect(await migrationGaps(db)).toEqual([
    { text: expect.stringMatching(/^The database lacks 1 migration /), isBlocking: true },
  ]);
  await using empty = await twoRoles();
  expect(await migrationGaps(empty.database.db)).toEqual([
    { text: expect.stringContaining('run npm run db:migrate'), isBlocking: true },
  ]);
});

test('providers without a location or without coordinates are counted', async () => {
  await using database = await testDb();
  const { db } = database;
  expect((await providerGaps(db)).map(({ text }) => text)).toEqual([
    'No provider is active: every lead stays unmatched.',
  ]);
  await insertProvider(db, { zipCode: '80202', latitude: null, longitude: null });
  await insertProvider(db, { zipCode: '00000', latitude: null, longitude: null });
  await insertProvider(db, { zipCode: '80202', latitude: 39.7, longitude: -104.9 });
  await insertProvider(db, { zipCode: '80202', latitude: null, longitude: null, status: 'f' });
  expect((await providerGaps(db)).map(({ text }) => text)).toEqual([
    "1 active provider can't be placed: no lead is matched with them by distance.",
    '1 active provider without coordinates: placed at the center of the ZIP area, and not shown on maps.',
  ]);
});

test('a role that is a superuser or owns the tables is reported', async () => {
  await using roles = await twoRoles();
  await prepareDatabase({ url: roles.appUrl, ownerUrl: roles.ownerUrl });
  const listTexts = async (url: string): Promise<string[]> => {
    const { db, close } = connect(url, { applicationName: 'test', max: 1 });
    const gaps = await roleGaps(db);
    await close();
    return gaps.map(({ text }) => text);
  };
  expect(await listTexts(roles.database.url)).toEqual([expect.stringContaining('is a superuser')]);
  expect(await listTexts(roles.ownerUrl)).toEqual([expect.stringContaining('owns the tables')]);
  expect(await listTexts(roles.appUrl)).toEqual([]);
});

test('a database key that no secret opens is an error, and none is created', async () => {
  await using database = await testDb();
  const { db, sql } = database;
  expect(await keyGaps(db, [testSecret])).toEqual([]);
  expect(await sql`select 1 from data_keys`).toHaveLength(0);
  await testDataKeys(database).current('identity');
  expect(await keyGaps(db, [testSecret])).toEqual([]);
  expect(await keyGaps(db, ['another-secret-another-secret-0001'])).toEqual([
    { text: expect.stringContaining("opens the database's key identity-1"), isBlocking: true },
  ]);
});

test('another version of the collation than the indexes were built with is reported', async () => {
  const name = 'leads';
  expect(collationGaps({ name, stored: '2.36', actual: '2.41' })).toEqual([
    {
      text: 'Indexes of text were built with version 2.36 of the collation, and Postgres now runs with 2.41: they may miss rows and accept duplicates. Run "reindex database leads", then "alter database leads refresh collation version".',
      isBlocking: false,
    },
  ]);
  for (const same of ['2.41', null]) expect(collationGaps({ name, stored: same, actual: same })).toEqual([]);
  expect(collationGaps({ name, stored: null, actual: '2.41' })).toEqual([]);
  await using database = await testDb();
  expect(await readCollationGaps(database.db)).toEqual([]);
});

test('a worker and accepted claims leave nothing open in the documented installation', async () => {
  await using roles = await twoRoles();
  const { appUrl, database } = roles;
  await prepareDatabase({ url: appUrl, ownerUrl: roles.ownerUrl });
  await insertProvider(database.db, { zipCode: '80202', latitude: 39.7, longitude: -104.9 });
  const urls = { DATABASE_URL: appUrl, DATABASE_DIRECT_URL: appUrl, SMTP_URL: 'smtp://127.0.0.1:587' };
  const env: Record<string, string> = { ...documentedEnvironment, ...urls };
  const before = await runCommand('doctor', [], env);
  expect(before.status).toBe(1);
  expect(before.output).toContain('\n    - No worker is running: nothing is delivered.\n');
  expect(before.output.match(/In the way of production:/g)).toHaveLength(2);
  expect(before.output).not.toContain('Nothing is open.');

  await using worker = await startWorkerProcess({
    ...urls,
    SECRET_KEYS: documentedEnvironment['SECRET_KEYS'] ?? '',
    MIGRATE_ON_START: 'off',
  });
  const acceptance = ['--all', '--name', 'Dana Owner', '--reason', 'Counsel reviewed the study.'];
  expect(await runCommand('claims', ['accept', ...acceptance], env)).toMatchObject({ status: 0 });
  const { status, output } = await runCommand('doctor', [], env);
  expect(output).toMatch(
    /\n\nInstallation\n  Nothing is open\.\n  Not used: .*\n\nBrand\n  Nothing is open\.\n/s,
  );
  expect(output).not.toContain('    - ');
  expect(status).toBe(0);

  await worker.kill('SIGKILL');
  await expect.poll(() => countWorkers(database.db)).toBe(0);
  expect(await runCommand('doctor', [], env)).toEqual({
    status: 0,
    output: output.replace('Nothing is open.', 'Open:\n    - No worker is running: nothing is delivered.'),
  });
});
