import { expect, test } from 'vitest';
import { connect } from '#server/db/connect.ts';
import { testDb } from '#test/support/testDb.ts';
import { sharedCounters } from './sharedLimiter.ts';

test('concurrent calls of several processes are each counted once, and a window ends', async () => {
  await using database = await testDb();
  await using at = new AsyncDisposableStack();
  const second = connect(database.url, { applicationName: 'counters', max: 2 });
  at.defer(second.close);
  const [one, two] = [sharedCounters(database.db), sharedCounters(second.db)];
  const keys = Array.from({ length: 40 }, (_, index) => `key ${index % 2}`);
  const counts = await Promise.all(
    keys.map((key, index) => (index % 3 === 0 ? two : one).count({ key, windowSeconds: 60 })),
  );
  for (const key of ['key 0', 'key 1']) {
    const points = counts.flatMap((count, index) => (keys[index] === key ? [count.points] : []));
    expect(points.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  }
  // A call that waited for the one that opened the window has the earlier clock.
  for (const { msBeforeNext } of counts) expect(Math.abs(msBeforeNext - 60_000)).toBeLessThan(10_000);
  await one.takeBack('key 0');
  expect(await one.count({ key: 'key 0', windowSeconds: 60 })).toMatchObject({ points: 20 });
  // More milliseconds than an integer holds.
  expect(await one.count({ key: 'a month', windowSeconds: 31 * 86_400 })).toEqual({
    points: 1,
    msBeforeNext: expect.closeTo(31 * 86_400_000, -5),
  });
  await database.sql`update rate_limits set expire = now() - interval '1 second' where key = 'key 0'`;
  expect(await one.count({ key: 'key 0', windowSeconds: 30 })).toEqual({
    points: 1,
    msBeforeNext: expect.closeTo(30_000, -4),
  });
});
