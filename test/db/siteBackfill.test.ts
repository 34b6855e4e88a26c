import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator';
import { expect, test } from 'vitest';
import { connect } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { testDb } from '#test/support/testDb.ts';

/** The migrations before the one with this number, as a folder of their own. */
async function migrationsBefore(number: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  await cp('migrations', folder, { recursive: true });
  const path = join(folder, 'meta', '_journal.json');
  const journal = JSON.parse(await readFile(path, 'utf8')) as { entries: { idx: number }[] };
  await writeFile(
    path,
    JSON.stringify({ ...journal, entries: journal.entries.filter(({ idx }) => idx < number) }),
  );
  return folder;
}

test('leads stored before 0008 learn whose site they came from, those given to another clinic since too', async () => {
  await using base = await testDb({ max: 1 });
  const name = `${new URL(base.url).pathname.slice(1)}_old`;
  await base.sql`create database ${base.sql(name)}`;
  const url = new URL(base.url);
  url.pathname = `/${name}`;
  const folder = await migrationsBefore(8);
  const { sql, close } = connect(url.href, { applicationName: 'test', max: 1 });
  try {
    await applyMigrations(drizzle(sql), { migrationsFolder: folder });
    await sql`insert into providers (id, name, zip_code, email) select n, 'Clinic ' || n, '80202', 'desk@clinic.example' from generate_series(1, 3) n`;
    await sql`
      insert into leads (id, first_name, last_name, email, phone, zip_code, email_norm, phone_e164, provider_id, match_method, match_reason)
      select id, 'Ada', 'Reed', 'a@mail.example', '3035550100', '80202', 'a@mail.example', '+13035550100', provider, method, 'why'
      from (values (1, 1, 'tenant'), (2, 2, 'nearest'), (3, null, 'none'), (4, 3, 'manual'), (5, 3, 'manual'), (6, 3, 'manual')) as given (id, provider, method)`;
    // Lead 4 came from clinic 1's site and was given away twice, 5 had been matched by distance, 6 came from a clinic that is gone.
    await sql`
      insert into audit_log (actor_kind, actor_name, action, subject_kind, subject_id, detail)
      select 'staff', 'Ada', 'lead.assign', 'lead', lead, jsonb_build_object('before', jsonb_build_object('providerId', provider, 'method', method))
      from (values ('4', 1, 'tenant'), ('4', 2, 'manual'), ('5', 2, 'nearest'), ('6', 99, 'tenant')) as given (lead, provider, method)`;
    await sql`insert into audit_log (actor_kind, actor_name, action) values ('staff', 'Ada', 'sign-in')`;
    expect(await migrate(url.href)).toMatchObject({ applied: expect.any(Number) });
    const rows = await sql`select id::int, site_provider_id::int as site from leads order by id`;
    expect(rows.map(({ id, site }) => [id, site])).toEqual([
      [1, 1],
      [2, null],
      [3, null],
      [4, 1],
      [5, null],
      [6, null],
    ]);
  } finally {
    await close();
    await base.sql`drop database ${base.sql(name)} with (force)`;
    await rm(folder, { recursive: true });
  }
});
