import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { providers } from '#server/db/schema/index.ts';
import { ownDirectory } from '#test/tenancy/directories.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';

// Each test starts several Node processes.
vi.setConfig({ testTimeout: 120_000 });

const production = {
  NODE_ENV: 'production',
  MAIN_DOMAINS: 'brand.example',
  SECRET_KEYS: 'a-key-for-tests-a-key-for-tests-0001',
  LEGAL_ARBITRATION_PLACE: 'Springfield, Illinois',
  LEGAL_POSTAL_ADDRESS: '100 Example Street, Springfield, IL 62701',
  CONTACT_EMAIL: 'hello@brand.example',
  CONTACT_PHONE: '(555) 010-0100',
  PROVIDER_SIGNUP_URL: 'https://brand.example/join',
  STARTER_KIT_URL: 'https://brand.example/kit',
};

/** Runs a command of scripts/ on a test's database, as npm would. */
function run(
  database: TestDb,
  command: string,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<{ status: number; output: string }> {
  return new Promise((done) => {
    execFile(
      process.execPath,
      [resolve('scripts', `${command}.ts`), ...args],
      {
        env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'development', DATABASE_URL: database.url, ...env },
      },
      (error, stdout, stderr) =>
        done({ status: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}

test('db:migrate says what it did, and a second run finds nothing to do', async () => {
  await using database = await testDb({ max: 1 });
  await database.sql`drop schema drizzle cascade`;
  await database.sql`drop schema public cascade`;
  await database.sql`create schema public`;
  const first = await run(database, 'dbMigrate');
  expect(first).toEqual({ status: 0, output: expect.stringMatching(/^Applied [1-9]\d* migrations\.\n$/) });
  expect(await run(database, 'dbMigrate')).toEqual({ status: 0, output: 'The database is up to date.\n' });
});

test('db:seed fills an empty database and leaves one with clinics as it is', async () => {
  await using database = await testDb();
  expect((await run(database, 'dbSeed')).output).toMatch(/^Added \d+ sample clinics/);
  const seeded = await database.db.$count(providers);
  expect(seeded).toBeGreaterThan(0);
  expect((await run(database, 'dbSeed')).output).toContain('nothing was added');
  expect(await database.db.$count(providers)).toBe(seeded);
});

test('db:reset is refused in production without --yes, and with it begins anew without sample clinics, in running processes too', async () => {
  await using database = await testDb();
  await database.db
    .insert(providers)
    .values({ name: 'Kept', zipCode: '80202', email: 'desk@clinic.example' });
  const refused = await run(database, 'dbReset', [], production);
  expect(refused).toEqual({ status: 1, output: expect.stringContaining('--yes') });
  expect(await database.db.$count(providers)).toBe(1);
  await using running = await ownDirectory(database.url);
  expect(running.tenants.stats().clinics).toBe(1);
  expect((await run(database, 'dbReset', ['--yes'], production)).status).toBe(0);
  expect(await database.db.$count(providers)).toBe(0);
  await expect.poll(() => running.tenants.stats().clinics).toBe(0);
});

test('a wrong configuration ends a command with every fault and no stack', async () => {
  await using database = await testDb({ max: 1 });
  const { status, output } = await run(database, 'dbMigrate', [], { PORT: 'x', MATCH_RADIUS_MILES: 'far' });
  expect(status).toBe(1);
  expect(output).toContain('PORT:');
  expect(output).toContain('MATCH_RADIUS_MILES:');
  expect(output).not.toContain('    at ');
});
