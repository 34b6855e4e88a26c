import { expect, test } from 'vitest';
import { runToken } from '#scripts/token.ts';
import { apiTokens, providers } from '#server/db/schema/index.ts';
import { ownDirectory } from '#test/tenancy/directories.ts';
import { runCommand } from '#test/support/command.ts';
import { meets } from '#test/support/meets.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';

// Each test starts several Node processes.
const production = {
  NODE_ENV: 'production',
  MAIN_DOMAINS: 'brand.example',
  TRUSTED_PROXIES: '0',
  SECRET_KEYS: 'Zk3vT9qLwX7bRn2YdHs8JmPc5GfAeU4iKoV6tBx1QyM',
  LEGAL_ARBITRATION_PLACE: 'Springfield, Illinois',
  LEGAL_POSTAL_ADDRESS: '100 Example Street, Springfield, IL 62701',
  CONTACT_EMAIL: 'hello@brand.example',
  CONTACT_PHONE: '(555) 010-0100',
  PROVIDER_SIGNUP_URL: 'https://brand.example/join',
  STARTER_KIT_URL: 'https://brand.example/kit',
};

/** Runs a command of scripts/ on a test's database. */
function run(database: TestDb, command: string, args: string[] = [], env: Record<string, string> = {}) {
  return runCommand(command, args, { DATABASE_URL: database.url, ...env });
}

test('db:migrate reports its migrations, and a second run has nothing to do', async () => {
  meets('D.names.54');
  await using database = await testDb({ max: 1 });
  await database.sql`drop schema public cascade`;
  await database.sql`create schema public`;
  const first = await run(database, 'dbMigrate');
  expect(first).toEqual({ status: 0, output: expect.stringMatching(/^Applied [1-9]\d* migrations\.\n$/) });
  expect(await run(database, 'dbMigrate')).toEqual({ status: 0, output: 'The database is up to date.\n' });
});

test('commands name the cause and the variable if the database is missing', async () => {
  await using database = await testDb({ max: 1 });
  const url = new URL(database.url);
  url.pathname = '/nothing_here';
  for (const [command, args] of [
    ['dbMigrate', []],
    ['token', ['list']],
  ] as const) {
    const missing = await run(database, command, [...args], { DATABASE_URL: url.href });
    expect(missing.status).toBe(1);
    expect(missing.output).toMatch(/has no database "nothing_here"\. .*DATABASE_URL\.$/m);
    const away = await run(database, command, [...args], {
      DATABASE_URL: 'postgres://user:hidden@127.0.0.1:9/x',
    });
    expect(away.output).toMatch(
      /Can't reach Postgres at 127\.0\.0\.1:9 \(connection refused\)\. Check DATABASE_URL\.$/m,
    );
    expect(away.output).not.toContain('hidden');
  }
});

test('token creates, lists and revokes hashed tokens, with audit entries', async () => {
  meets('D.people.15 D.admin.23 D.admin.26 D.names.61');
  await using database = await testDb();
  const made = await run(database, 'token', [
    'create',
    '--name',
    'Nightly',
    '--scope',
    'sync:run',
    '--scope',
    'leads:read',
  ]);
  const [token = ''] = /^mpx_[\w-]{43}$/m.exec(made.output) ?? [];
  expect(made).toEqual({
    status: 0,
    output: expect.stringContaining('"Nightly" created with sync:run, leads:read'),
  });
  const [row] = await database.db.select().from(apiTokens);
  expect(row).toMatchObject({
    name: 'Nightly',
    scopes: ['sync:run', 'leads:read'],
    prefix: token.slice(0, 12),
  });
  expect(JSON.stringify(row)).not.toContain(token);
  const listed = await run(database, 'token', ['list']);
  expect(listed.output).toContain(`${token.slice(0, 12)}…\tNightly\tsync:run leads:read\tlast used never`);
  expect(listed.output).not.toContain(token);
  expect((await run(database, 'token', ['revoke', String(row?.id)])).status).toBe(0);
  expect(await run(database, 'token', ['revoke', String(row?.id)])).toEqual({
    status: 1,
    output: expect.stringContaining('Token not found'),
  });
  const lines = await database.sql`select actor_kind, action, subject_id from audit_log order by id`;
  expect(lines).toMatchObject([
    { actor_kind: 'command', action: 'token.create', subject_id: String(row?.id) },
    { actor_kind: 'command', action: 'token.revoke', subject_id: String(row?.id) },
  ]);
});

test('a token without a name is named after the day', async () => {
  meets('D.names.62');
  await using database = await testDb();
  const { status, output } = await run(database, 'token', ['create', '--scope', 'sync:run']);
  expect([status, output]).toEqual([
    0,
    expect.stringMatching(/"Script \d{4}-\d\d-\d\d" created with sync:run/),
  ]);
  expect(await database.db.$count(apiTokens)).toBe(1);
});

test.each([
  [['create', '--name', 'x', '--scope', 'everything'], 'Scopes: leads:read'],
  [['create', '--name', '', '--scope', 'sync:run'], 'Name is required'],
  [['create', '--name', 'x'], 'Choose at least one scope'],
  [['revoke', 'first'], 'Enter the token’s ID.'],
  [[], 'npm run token -- create'],
])('token %j prints its usage and creates nothing', async (args, said) => {
  await using database = await testDb();
  await expect(runToken(database.url, args)).rejects.toThrow(said);
  expect(await database.db.$count(apiTokens)).toBe(0);
});

test('db:seed fills an empty database and keeps one with providers', async () => {
  meets('D.names.55');
  await using database = await testDb();
  expect((await run(database, 'dbSeed')).output).toMatch(/^Added \d+ sample providers/);
  const seeded = await database.db.$count(providers);
  expect(seeded).toBeGreaterThan(0);
  expect((await run(database, 'dbSeed')).output).toContain('nothing was added');
  expect(await database.db.$count(providers)).toBe(seeded);
});

test('db:reset in production needs --yes and adds no sample providers', async () => {
  meets('D.names.56');
  await using database = await testDb();
  await database.db
    .insert(providers)
    .values({ name: 'Kept', zipCode: '80202', email: 'desk@clinic.example' });
  const refused = await run(database, 'dbReset', [], production);
  expect(refused).toEqual({ status: 1, output: expect.stringContaining('--yes') });
  expect(await database.db.$count(providers)).toBe(1);
  await using running = await ownDirectory(database.url);
  expect(running.tenants.stats().providers).toBe(1);
  expect((await run(database, 'dbReset', ['--yes'], production)).status).toBe(0);
  expect(await database.db.$count(providers)).toBe(0);
  await expect.poll(() => running.tenants.stats().providers).toBe(0);
});

test('an invalid configuration ends a command with every error and no stack', async () => {
  await using database = await testDb({ max: 1 });
  const { status, output } = await run(database, 'dbMigrate', [], { PORT: 'x', MATCH_RADIUS_MILES: 'far' });
  expect(status).toBe(1);
  expect(output).toContain('PORT:');
  expect(output).toContain('MATCH_RADIUS_MILES:');
  expect(output).not.toContain('    at ');
});
