import { expect, test } from 'vitest';
import { connect } from '#server/db/connect.ts';
import { testDb } from '#test/support/testDb.ts';
import { sharedCounters } from './sharedCounters.ts';

test('concurrent calls of several processes are each counted once, and a window ends', async () => {
  await using database = await testDb();
  await using at = new AsyncDisposableStack();
  const second = connect(database.url, { applicationName: 'counters', max: 2 });
  at.defer(second.close);
  const processes = [sharedCounters(database.db), sharedCounters(second.db)];
  const calls = Array.from({ length: 40 }, (_, index) => ({
    key: `key ${index % 2}`,
    counters: processes[index % 3 === 0 ? 1 : 0],
  }));
  const counts = await Promise.all(
    calls.map(({ key, counters }) => counters?.count({ key, windowSeconds: 60 })),
  );
  for (const key of ['key 0', 'key 1']) {
    const points = counts.flatMap((count, index) => (calls[index]?.key === key ? [count?.points ?? 0] : []));
    expect(points.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  }
  expect(
    counts.every(
      (count) => count !== undefined && count.msBeforeNext > 50_000 && count.msBeforeNext <= 60_000,
    ),
  ).toBe(true);
  const [counters] = processes;
  await counters?.takeBack('key 0');
  expect(await counters?.count({ key: 'key 0', windowSeconds: 60 })).toMatchObject({ points: 20 });
  await database.sql`update rate_limits set expire = now() - interval '1 second' where key = 'key 0'`;
  expect(await counters?.count({ key: 'key 0', windowSeconds: 30 })).toEqual({
    points: 1,
    msBeforeNext: expect.closeTo(30_000, -4),
  });
});
