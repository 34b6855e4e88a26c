import { describe, expect, test } from 'vitest';
import { buildLines } from '#test/support/logLines.ts';
import { meets } from '#test/support/meets.ts';
import { testDb } from '#test/support/testDb.ts';
import { connect } from './connect.ts';
import { applyMigrations, listApplied, getKind, type MigrationFile } from './applyMigrations.ts';
import { migrate, refuseOldServer, requireMigrated } from './migrate.ts';

/** An empty database beside the test's, with the same server and user. */
async function emptyDb() {
  const base = await testDb({ max: 1 });
  const name = `${new URL(base.url).pathname.slice(1)}_empty`;
  await base.sql`create database ${base.sql(name)}`;
  const url = new URL(base.url);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      await base.sql`drop database ${base.sql(name)} with (force)`;
      await base[Symbol.asyncDispose]();
    },
  };
}

test('concurrent processes apply each migration once', async () => {
  await using empty = await emptyDb();
  const results = await Promise.all(Array.from({ length: 4 }, () => migrate(empty.url)));
  const applied = results.map((result) => result.applied).toSorted((a, b) => a - b);
  expect(applied.slice(0, 3)).toEqual([0, 0, 0]);
  expect(applied[3]).toBeGreaterThan(0);
});

test('an up-to-date database is not changed', async () => {
  await using database = await testDb();
  expect(await migrate(database.url)).toEqual({ applied: 0 });
  await expect(requireMigrated(database.url)).resolves.toBeUndefined();
});

test.each([
  ['a migration', `delete from schema_migrations where name = (select max(name) from schema_migrations)`],
  ['a changed function', `update schema_functions set sha256 = 'older' where name = 'appendOnly'`],
])('requireMigrated refuses a database that lacks %s and changes nothing', async (_, outdate) => {
  await using database = await testDb();
  await database.sql.unsafe(outdate);
  const before = await database.sql`select name, sha256 from schema_functions order by name`;
  await expect(requireMigrated(database.url)).rejects.toMatchObject({
    name: 'StartFault',
    permanent: true,
    message:
      "The database isn't up to date (1 pending migrations and functions), and MIGRATE_ON_START is off. Run npm run db:migrate, then start again.",
  });
  expect([...(await database.sql`select name, sha256 from schema_functions order by name`)]).toEqual([
    ...before,
  ]);
});

test('requireMigrated refuses an empty database and leaves it empty', async () => {
  await using empty = await emptyDb();
  await expect(requireMigrated(empty.url)).rejects.toThrow('Run npm run db:migrate');
  const { sql, close } = connect(empty.url, { applicationName: 'test', max: 1 });
  expect(await sql`select 1 from pg_tables where schemaname = 'public'`).toEqual([]);
  await close();
});

test('a database with an unknown migration is refused and not changed', async () => {
  meets('D.abuse.42');
  await using database = await testDb();
  await database.sql`insert into schema_migrations (name, sha256) values ('9999_newer', '')`;
  await expect(migrate(database.url)).rejects.toMatchObject({
    name: 'StartFault',
    permanent: true,
    message: expect.stringMatching(/^The database has 1 migration that this version doesn't know/),
  });
});

test('without migrating, a database of a newer version is accepted and logged', async () => {
  meets('D.abuse.42');
  await using database = await testDb();
  const { log, lines } = buildLines();
  await database.sql`insert into schema_migrations (name, sha256) values ('9999_newer', '')`;
  await requireMigrated(database.url, log);
  expect(lines()).toMatchObject([
    { msg: 'a newer version has migrated the database', migrations: ['9999_newer'] },
  ]);
  await database.sql`update schema_migrations set sha256 = 'other' where name = '0002_leads'`;
  await expect(requireMigrated(database.url)).rejects.toThrow(/^Migration 0002_leads was edited/);
  await database.sql`delete from schema_migrations where name = '0002_leads'`;
  await expect(requireMigrated(database.url)).rejects.toThrow('Run npm run db:migrate');
});

test('a database from before 1.0 is refused and not changed', async () => {
  meets('D.abuse.42');
  await using database = await testDb();
  await database.sql`drop table schema_migrations`;
  await database.sql`create schema drizzle`;
  await database.sql`create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;
  await expect(migrate(database.url)).rejects.toMatchObject({
    name: 'StartFault',
    permanent: true,
    message: expect.stringMatching(/^The database was made by a version before 1\.0/),
  });
  expect(await database.sql`select to_regclass('schema_migrations') as name`).toEqual([{ name: null }]);
});

test('a database with tables but no record of migrations is refused', async () => {
  await using database = await testDb();
  await database.sql`drop table schema_migrations`;
  await expect(migrate(database.url)).rejects.toMatchObject({
    permanent: true,
    message: expect.stringMatching(/^The database has tables of this product but no record/),
  });
});

test('an applied migration that was edited is refused by name', async () => {
  meets('D.abuse.42');
  await using database = await testDb();
  await database.sql`update schema_migrations set sha256 = 'other' where name = '0002_leads'`;
  await expect(migrate(database.url)).rejects.toMatchObject({
    permanent: true,
    message: expect.stringMatching(/^Migration 0002_leads was edited/),
  });
});

describe('applyMigrations', () => {
  const file = (name: string, text: string): MigrationFile => ({
    ...{ name, text, kind: getKind(text) },
    sha256: name,
  });

  test('records nothing of a migration that fails halfway', async () => {
    await using database = await testDb({ max: 1 });
    const { log } = buildLines();
    const failing = file('0100_failing', 'create table halfway (id int primary key); select 1 / 0');
    await expect(applyMigrations(database.sql, [failing], { log })).rejects.toMatchObject({ code: '22012' });
    expect(await database.sql`select to_regclass('halfway') as name`).toEqual([{ name: null }]);
    expect((await listApplied(database.sql))?.some(({ name }) => name === failing.name)).toBe(false);
  });

  test('waits for a table that is in use and applies when it is free', async () => {
    await using database = await testDb({ max: 1 });
    await using user = await openUser(database.url);
    const { log, lines } = buildLines();
    const busy = file('0100_busy', 'alter table rematch_requests add column note text');
    const applying = applyMigrations(database.sql, [busy], { log, timeoutMs: 50 });
    await expect.poll(() => lines().length).toBeGreaterThan(0);
    await user.release();
    expect(await applying).toBe(1);
    expect(lines()[0]).toMatchObject({
      msg: 'a migration waits for a table that is in use',
      migration: '0100_busy',
    });
  });

  test('builds an index concurrently outside a transaction', async () => {
    await using database = await testDb({ max: 1 });
    const { log } = buildLines();
    const text = '-- concurrent\ncreate index concurrently built_idx on rematch_requests (at)';
    expect(await applyMigrations(database.sql, [file('0100_index', text)], { log })).toBe(1);
    expect(await database.sql`select indexname from pg_indexes where indexname = 'built_idx'`).toHaveLength(
      1,
    );
    expect(await applyMigrations(database.sql, [file('0100_index', text)], { log })).toBe(0);
  });

  test('builds an index again that an interrupted build left invalid, and none twice', async () => {
    await using database = await testDb({ max: 1 });
    const { log } = buildLines();
    const { sql } = database;
    await sql`create table twins as select 1 as id from generate_series(1, 2)`;
    await expect(sql`create unique index concurrently built_idx on twins (id)`).rejects.toThrow(
      'could not create unique index',
    );
    const state = () => sql`
      select indisvalid, indisunique from pg_index where indexrelid = 'built_idx'::regclass`;
    expect(await state()).toEqual([{ indisvalid: false, indisunique: true }]);
    const index = file('0100_index', '-- concurrent\ncreate index concurrently built_idx on twins (id)');
    expect(await applyMigrations(sql, [index], { log })).toBe(1);
    expect(await state()).toEqual([{ indisvalid: true, indisunique: false }]);
    // As if the process had ended before it recorded the migration.
    await sql`delete from schema_migrations where name = '0100_index'`;
    expect(await applyMigrations(sql, [index], { log })).toBe(1);
  });

  test('waits for an older transaction while it builds an index', async () => {
    await using database = await testDb({ max: 1 });
    await using user = await openUser(database.url);
    const { log, lines } = buildLines();
    const index = file(
      '0100_index',
      '-- concurrent\ncreate index concurrently built_idx on rematch_requests (at)',
    );
    const applying = applyMigrations(database.sql, [index], { log, timeoutMs: 50 });
    const { sql: other, close } = connect(database.url, { applicationName: 'watch', max: 1 });
    await expect
      .poll(() => other`select 1 from pg_stat_progress_create_index where phase like 'waiting%'`)
      .toHaveLength(1);
    await close();
    await user.release();
    expect([await applying, lines()]).toEqual([1, []]);
  });

  test('repeats a batched backfill, each time in its own transaction, until none is left', async () => {
    await using database = await testDb({ max: 1 });
    const { log } = buildLines();
    const { sql } = database;
    await sql`create table filled (id int primary key, xid xid8)`;
    await sql`insert into filled select generate_series(1, 25)`;
    const text = `-- batched
      update filled set xid = pg_current_xact_id() where id in (select id from filled where xid is null order by id limit 10)`;
    expect(await applyMigrations(sql, [file('0100_backfill', text)], { log })).toBe(1);
    expect(await sql`select count(*)::int as rows from filled group by xid order by min(id)`).toEqual([
      ...[{ rows: 10 }, { rows: 10 }, { rows: 5 }],
    ]);
    expect((await listApplied(sql))?.some(({ name }) => name === '0100_backfill')).toBe(true);
  });

  test('continues a batched backfill that was stopped', async () => {
    await using database = await testDb({ max: 1 });
    const { log } = buildLines();
    const { sql } = database;
    await sql`create table filled (id int primary key, done boolean default false)`;
    await sql`insert into filled select generate_series(1, 25)`;
    const text = `-- batched
      update filled set done = true where id in (select id from filled where not done order by id limit 10)`;
    const stopped = { log, signal: AbortSignal.abort() };
    await expect(applyMigrations(sql, [file('0100_backfill', text)], stopped)).rejects.toThrow(/abort/i);
    expect(await sql`select count(*)::int as done from filled where done`).toEqual([{ done: 10 }]);
    expect(await applyMigrations(sql, [file('0100_backfill', text)], { log })).toBe(1);
    expect(await sql`select count(*)::int as done from filled where done`).toEqual([{ done: 25 }]);
  });
});

/** Another session that reads a table in a transaction. */
async function openUser(url: string) {
  const { sql, close } = connect(url, { applicationName: 'user', max: 1 });
  const released = Promise.withResolvers<void>();
  const reading = Promise.withResolvers<void>();
  const holding = sql.begin(async (tx) => {
    await tx`select count(*) from rematch_requests`;
    reading.resolve();
    await released.promise;
  });
  await reading.promise;
  return {
    release: async () => {
      released.resolve();
      await holding;
    },
    [Symbol.asyncDispose]: async () => {
      released.resolve();
      await holding;
      await close();
    },
  };
}

test('a wait for the migration lock is logged once, and ends when the lock is released', async () => {
  await using database = await testDb({ max: 1 });
  await database.sql`select pg_advisory_lock(6447283)`;
  const { log, lines } = buildLines();
  const migrating = migrate(database.url, { log });
  await expect
    .poll(() => lines().map(({ msg }) => msg))
    .toEqual(['waiting for another process that migrates the database']);
  await database.sql`select pg_advisory_unlock(6447283)`;
  expect(await migrating).toEqual({ applied: 0 });
  expect(lines()).toHaveLength(1);
});

test('a signal ends the wait for the migration lock', async () => {
  await using database = await testDb({ max: 1 });
  await database.sql`select pg_advisory_lock(6447283)`;
  const { log, lines } = buildLines();
  const stopping = new AbortController();
  const migrating = migrate(database.url, { log, signal: stopping.signal });
  await expect.poll(() => lines().length).toBe(1);
  stopping.abort();
  await expect(migrating).rejects.toMatchObject({ name: 'AbortError' });
});

test('Postgres 14 is refused by name, 15 and newer are not', () => {
  meets('D.abuse.41');
  expect(() => refuseOldServer(140_013)).toThrow(
    'The database server is Postgres 14; Postgres 15 or newer is needed. Upgrade it, or check DATABASE_URL.',
  );
  expect(() => refuseOldServer(90_624)).toThrow('Postgres 9;');
  for (const supported of [150_000, 160_004, 180_004]) expect(() => refuseOldServer(supported)).not.toThrow();
});
