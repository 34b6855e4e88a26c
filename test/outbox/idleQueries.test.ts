import { expect, inject, test } from 'vitest';
import { connect } from '#server/db/connect.ts';
import { testApp } from '#test/support/testApp.ts';
import { testDb } from '#test/support/testDb.ts';
import { waitUntil } from '#test/support/waitFor.ts';

/** Fewer take longer to send as many queries as are counted. */
const processes = 8;
/** Queries per second of ten processes in total. */
const perSecondMax = 20;
const counted = 100;

test('ten idle processes send fewer than 20 queries per second in total', async () => {
  await using database = await testDb();
  await using running = new AsyncDisposableStack();
  for (let started = 0; started < processes; started += 1)
    running.use(await testApp({ database, worker: {}, watch: {} }));
  // Counts from another database, to exclude its own queries. Idle work has no transactions of several statements.
  const { adminUrl } = inject('templateDatabase');
  const observer = connect(adminUrl, { applicationName: 'observer', max: 1 });
  running.defer(observer.close);
  const name = new URL(database.url).pathname.slice(1);
  const count = async (): Promise<number> => {
    const [row] = await observer.sql<{ n: string }[]>`
      select xact_commit + xact_rollback as n from pg_stat_database where datname = ${name}`;
    return Number(row?.n);
  };
  const wait = (until: number) => waitUntil(async () => (await count()) >= until, { interval: 100 });
  const measure = async (): Promise<number> => {
    const [from, startedAt] = [await count(), performance.now()];
    await wait(from + counted);
    const seconds = (performance.now() - startedAt) / 1_000;
    return (((await count()) - from) / seconds / processes) * 10;
  };
  // A start isn't idle, and may last for several measurements.
  const startMaxMs = 90_000;
  const startedAt = performance.now();
  let perSecond = await measure();
  while (perSecond >= perSecondMax && performance.now() - startedAt < startMaxMs) perSecond = await measure();
  // They do poll: a count that never moves proves nothing.
  expect(perSecond).toBeGreaterThan(5);
  expect(perSecond).toBeLessThan(perSecondMax);
});
