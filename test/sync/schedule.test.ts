import { expect, test } from 'vitest';
import { testApp } from '#test/support/testApp.ts';

test('the worker has WordPress read every quarter of an hour, and whole every night', async () => {
  await using app = await testApp({ worker: true });
  const schedules =
    await app.sql`select name, cron from pgboss.schedule where name like 'sync-%' order by name`;
  expect([...schedules]).toEqual([
    { name: 'sync-full', cron: '10 8 * * *' },
    { name: 'sync-incremental', cron: '*/15 * * * *' },
  ]);
});
