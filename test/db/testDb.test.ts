import { expect, test } from 'vitest';
import { connect } from '#server/db/connect.ts';
import { providers } from '#server/db/schema/index.ts';
import { testDb } from '#test/support/testDb.ts';

const provider = { name: 'Harbor Men’s Clinic', zipCode: '80202', email: 'desk@clinic.example' };

test('each test database is private, with the ZIP table and no providers', async () => {
  await using first = await testDb();
  await using second = await testDb();
  await first.db.insert(providers).values(provider);
  expect(await first.db.$count(providers)).toBe(1);
  expect(await second.db.$count(providers)).toBe(0);
  const [zips] = await second.sql<{ count: number }[]>`select count(*)::int as count from zip_centroids`;
  expect(zips?.count).toBeGreaterThan(40_000);
});

test('a test database is dropped after its test, despite open connections', async () => {
  await using outer = await testDb();
  const inner = await testDb();
  const name = new URL(inner.url).pathname.slice(1);
  const exists = async (): Promise<boolean> =>
    (await outer.sql`select from pg_database where datname = ${name}`).length > 0;

  const stranger = connect(inner.url, { applicationName: 'stranger', max: 1 });
  await stranger.sql`select 1`;
  expect(await exists()).toBe(true);
  await inner[Symbol.asyncDispose]();
  expect(await exists()).toBe(false);
  await stranger.close();
});
