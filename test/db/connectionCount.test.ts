import { expect, test } from 'vitest';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { startServer } from '#test/support/serverProcess.ts';
import { testDb } from '#test/support/testDb.ts';

test('F6: a busy process opens its pool, a schedule and a listener connection', async () => {
  await using database = await testDb();
  await insertProvider(database.db, { zipCode: '80202' });
  await using server = await startServer({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: '5' });
  const send = (): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}/api/leads`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(leadInput({ zip_code: '80202' })),
    });
  const answers = await Promise.all(Array.from({ length: 40 }, send));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));

  const rows = await database.sql<{ name: string; count: number }[]>`
    select regexp_replace(application_name, ' #.*', '') as name, count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name like '%clinic-leads-%' group by 1`;
  const counts = new Map(rows.map(({ name, count }) => [name, count]));
  expect(counts.get('clinic-leads-web')).toBe(5);
  expect(counts.get('listener of clinic-leads-web')).toBe(1);
  expect(counts.get('worker of clinic-leads-web')).toBe(1);
  expect([...counts.keys()].toSorted()).toEqual([
    'clinic-leads-web',
    'listener of clinic-leads-web',
    'worker of clinic-leads-web',
  ]);
});
