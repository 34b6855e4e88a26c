import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { testDb } from '#test/support/testDb.ts';
import { connect } from './connect.ts';
import { readWithTimeout } from './readWithTimeout.ts';

const tooLong = 'This takes too long.';

test('a statement above its limit is canceled with the given message', async () => {
  await using database = await testDb({ max: 1 });
  const other = connect(database.url, { applicationName: 'test-other', max: 1 });
  try {
    await other.sql.begin(async (holding) => {
      await holding`lock table zip_edition in access exclusive mode`;
      const waiting = readWithTimeout(database.db, (tx) => tx.execute(sql`select from zip_edition`), {
        tooLong,
        timeoutMs: 50,
      });
      await expect(waiting).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        message: tooLong,
        retryAfterSeconds: 5,
      });
    });
  } finally {
    await other.close();
  }
  const settings = sql`select current_setting('statement_timeout') as timeout, current_setting('enable_seqscan') as scan`;
  expect([...(await database.db.execute(settings))]).toEqual([{ timeout: '0', scan: 'on' }]);
  const inside = await readWithTimeout(database.db, (tx) => tx.execute(settings), { tooLong });
  expect([...inside]).toEqual([{ timeout: '10s', scan: 'off' }]);
});

test('other errors are rethrown, and writes fail', async () => {
  await using database = await testDb();
  const write = readWithTimeout(
    database.db,
    (tx) => tx.execute(sql`insert into zip_edition values ('other')`),
    {
      tooLong,
    },
  );
  await expect(write).rejects.toMatchObject({ cause: { code: '25006' } });
});
