import { test, vi } from 'vitest';
import { testDb } from '#test/support/testDb.ts';
import { createLog } from '../log.ts';
import { startBoss } from './boss.ts';
import { type Schedule, startSchedules } from './schedules.ts';

const log = createLog('silent');

// Side by side, as each waits for the five seconds after which a worker looks again.
test.concurrent(
  'a scheduled run happens once whatever the number of workers, and a schedule that is gone is forgotten',
  async ({ expect }) => {
    await using database = await testDb();
    const runs: string[] = [];
    const schedule = (name: string): Schedule => ({
      name,
      cron: '30 3 * * *',
      run: () => {
        runs.push(name);
        return Promise.resolve();
      },
    });
    const workers = [
      await startBoss({ sql: database.sql, log, works: true }),
      await startBoss({ sql: database.sql, log, works: true }),
    ];
    for (const { boss } of workers)
      await startSchedules(boss, [schedule('nightly'), schedule('dropped')], log);
    for (const { boss } of workers) await startSchedules(boss, [schedule('nightly')], log);
    const [first] = workers;
    if (first === undefined) throw new Error('no worker');
    expect((await first.boss.getSchedules()).map(({ name, cron }) => [name, cron])).toEqual([
      ['nightly', '30 3 * * *'],
    ]);
    // What the clock sends at its time; a second one while it waits is none.
    await first.boss.send('nightly', {});
    await first.boss.send('nightly', {});
    await vi.waitUntil(() => runs.length > 0, { timeout: 20_000 });
    await vi.waitUntil(
      async () =>
        (await database.sql`select 1 from pgboss.job where name = 'nightly' and state <> 'completed'`)
          .length === 0,
    );
    expect(runs).toEqual(['nightly']);
    await Promise.all(workers.map(({ stop }) => stop()));
  },
);

test.concurrent(
  'a run that throws harms nothing, and one under way is told when the worker stops',
  async ({ expect }) => {
    await using database = await testDb();
    let begun = false;
    let told = false;
    const { boss, stop } = await startBoss({ sql: database.sql, log, works: true });
    const stopSchedules = await startSchedules(
      boss,
      [
        { name: 'throws', cron: '0 0 * * *', run: () => Promise.reject(new Error('no')) },
        {
          name: 'long',
          cron: '0 0 * * *',
          run: (signal) => {
            begun = true;
            return new Promise((resolve) =>
              signal.addEventListener('abort', () => {
                told = true;
                resolve();
              }),
            );
          },
        },
      ],
      log,
    );
    await boss.send('throws', {});
    await boss.send('long', {});
    await vi.waitUntil(() => begun, { timeout: 20_000 });
    await stop();
    await stopSchedules(5_000);
    expect(told).toBe(true);
    const [left] = await database.sql`select state from pgboss.job where name = 'long'`;
    expect(left?.['state']).toBe('retry');
  },
);
