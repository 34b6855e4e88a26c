import { expect, test } from 'vitest';
import { listSchedules } from '#server/background/worker.ts';
import { testApp } from '#test/support/testApp.ts';

test('WordPress is read every 15 minutes, and completely every night', async () => {
  await using app = await testApp();
  const syncs = listSchedules(app.services).filter(({ name }) => name.startsWith('sync-'));
  expect(syncs.map(({ name, cron }) => [name, cron])).toEqual([
    ['sync-incremental', '*/15 * * * *'],
    ['sync-full', '10 8 * * *'],
  ]);
});
