import { expect, test, vi } from 'vitest';
import { testDb } from '#test/support/testDb.ts';
import { createLog } from '../log.ts';
import { type Schedule, startSchedules } from './schedules.ts';
import { waitUntil } from '#test/support/waitFor.ts';

const log = createLog('silent');
/** Six fields: every second. */
const everySecond = '* * * * * *';

function counted(counts: number[], index: number): Schedule {
  return {
    name: 'counted',
    cron: everySecond,
    run: () => {
      counts[index] = (counts[index] ?? 0) + 1;
      return Promise.resolve();
    },
  };
}

test('one process of many runs a schedule, and another takes over when it stops', async () => {
  await using database = await testDb();
  const counts = [0, 0];
  const start = (index: number) =>
    startSchedules({ sql: database.sql, log, schedules: [counted(counts, index)] });
  const first = await start(0);
  const second = await start(1);
  await waitUntil(() => (counts[0] ?? 0) >= 2);
  expect(counts[1]).toBe(0);
  await first.stop(1_000);
  const last = counts[0];
  await waitUntil(() => (counts[1] ?? 0) >= 1);
  expect(counts[0]).toBe(last);
  await second.stop(1_000);
});

test('a run that fails is logged and comes again; one that goes on isn’t started twice', async () => {
  await using database = await testDb();
  let failures = 0;
  let long = 0;
  let isAborted = false;
  const error = vi.fn<(fields: object, message: string) => void>();
  const schedules: Schedule[] = [
    {
      name: 'fails',
      cron: everySecond,
      run: () => {
        failures += 1;
        return Promise.reject(new Error('no'));
      },
    },
    {
      name: 'long',
      cron: everySecond,
      run: (signal) => {
        long += 1;
        return new Promise((resolve) =>
          signal.addEventListener('abort', () => {
            isAborted = true;
            resolve();
          }),
        );
      },
    },
  ];
  const { stop } = await startSchedules({
    sql: database.sql,
    log: Object.assign(createLog('silent'), { error }),
    schedules,
  });
  await waitUntil(() => failures >= 3);
  expect(long).toBe(1);
  expect(error).toHaveBeenCalledWith(
    expect.objectContaining({ schedule: 'fails' }),
    'a scheduled run failed',
  );
  await stop(5_000);
  expect(isAborted).toBe(true);
});
