import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { connect } from '#server/db/connect.ts';
import { prepareDatabase } from '#server/startup/prepareDatabase.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { skipWithoutPostgres15, postgres15Folder, startPostgres15 } from '#test/support/postgres15.ts';
import { testApp } from '#test/support/testApp.ts';
import type { TestDb } from '#test/support/testDb.ts';

const passwords = { OWNER_PASSWORD: '0edf00d', APP_PASSWORD: 'a99f00d' };

/** Runs a file of deploy/ as the image's start and the upgrade page do. */
async function psql(url: string, file: string): Promise<void> {
  await promisify(execFile)(
    join(postgres15Folder, 'psql'),
    ['-v', 'ON_ERROR_STOP=1', '--no-password', '--no-psqlrc', '--dbname', url, '-f', `deploy/${file}`],
    { env: { ...process.env, ...passwords } },
  );
}

function getUrl(server: { url: string }, user: string, database = 'clinic_leads'): string {
  const url = new URL(server.url);
  url.username = user;
  url.pathname = `/${database}`;
  return url.href;
}

function getDatabase(url: string): TestDb {
  const { sql, db, health, close } = connect(url, { applicationName: 'test', max: 2 });
  return { url, sql, db, health, [Symbol.asyncDispose]: close };
}

const twoRoles = [
  { name: 'clinic_leads', more: false },
  { name: 'clinic_leads_owner', more: false },
  { name: 'postgres', more: true },
];

/** The roles and whether each is more than a login, after the application's has stored a lead and could do no more. */
async function listRoles(server: { url: string }): Promise<unknown> {
  const url = getUrl(server, 'clinic_leads');
  await prepareDatabase({ url, ownerUrl: getUrl(server, 'clinic_leads_owner') });
  await using database = getDatabase(url);
  await using app = await testApp({ database });
  const provider = await insertProvider(app.db, { zipCode: '80202', latitude: 39.75, longitude: -105 });
  const answer = await app.post('/api/leads', leadInput({ zip_code: '80202' }));
  expect([answer.status, answer.json()]).toMatchObject([201, { providerId: provider.id }]);
  const { sql } = database;
  await expect(sql`delete from consent_records`).rejects.toThrow('permission denied');
  await expect(sql`drop table leads`).rejects.toThrow('must be owner');
  await expect(sql`copy leads to program 'true'`).rejects.toThrow('must be superuser');
  expect(
    await sql`
      select distinct pg_get_userbyid(relowner) as owner from pg_class
      join pg_namespace on pg_namespace.oid = relnamespace and nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
      where relkind in ('r', 'p', 'v', 'm', 'S')`,
  ).toEqual([{ owner: 'clinic_leads_owner' }]);
  const roles = await sql`
    select rolname as name, rolsuper or rolcreatedb or rolcreaterole or rolbypassrls or rolreplication as more
    from pg_roles where rolname not like 'pg\\_%' order by 1`;
  return roles;
}

test.skipIf(skipWithoutPostgres15())('a new database of the containers has two roles', async () => {
  await using server = await startPostgres15();
  await psql(server.url, 'database.sql');
  expect(await listRoles(server)).toEqual(twoRoles);
});

test.skipIf(skipWithoutPostgres15())(
  'the database of earlier containers gets two roles and keeps its rows',
  async () => {
    await using server = await startPostgres15('clinic_leads');
    const admin = connect(server.url, { applicationName: 'test', max: 1 });
    await admin.sql`create database clinic_leads`;
    await admin.close();
    const before = getUrl(server, 'clinic_leads');
    await prepareDatabase({ url: before, ownerUrl: null });
    {
      await using database = getDatabase(before);
      await using app = await testApp({ database });
      await insertProvider(app.db, { zipCode: '59430' });
      expect((await app.post('/api/leads', leadInput({ zip_code: '59430' }))).status).toBe(201);
    }
    await psql(before, 'splitRoles.sql');
    expect(await listRoles(server)).toEqual(twoRoles);
    const { sql, close } = connect(getUrl(server, 'postgres'), { applicationName: 'test', max: 1 });
    expect(await sql`select zip_code as zip from leads order by id`).toEqual([
      { zip: '59430' },
      { zip: '80202' },
    ]);
    await close();
  },
);
