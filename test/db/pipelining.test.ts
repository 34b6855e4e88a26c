import { expect, test } from 'vitest';
import { connect, type Sql } from '#server/db/connect.ts';
import { testDb } from '#test/support/testDb.ts';

/** One connection that has prepared `select n`, so that the next of these are sent without waiting for answers. */
async function busyConnection(url: string): Promise<{ sql: Sql; numberOf: (n: number) => Promise<unknown> }> {
  const { sql } = connect(url, { applicationName: 'pipelining', max: 1 });
  const numberOf = async (n: number): Promise<unknown> => {
    const [row] = await sql`select ${n}::int as n`;
    return row?.['n'];
  };
  await numberOf(0);
  return { sql, numberOf };
}

test('only the statement that cannot be sent fails, and the others get their own rows', async () => {
  await using database = await testDb();
  const { sql, numberOf } = await busyConnection(database.url);
  const bad = Array.from({ length: 70_000 }, () => 1);
  const answers = await Promise.allSettled([
    numberOf(1),
    sql.unsafe('select $1', bad),
    numberOf(2),
    numberOf(3),
  ]);
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : 'rejected'))).toEqual([
    1,
    'rejected',
    2,
    3,
  ]);
  expect(await numberOf(4)).toBe(4);
  await sql.end();
});

test('a transaction that starts behind a hundred statements is committed', async () => {
  await using database = await testDb();
  const { sql, numberOf } = await busyConnection(database.url);
  await sql`create table notes (n int)`;
  const before = Array.from({ length: 150 }, (_, n) => numberOf(n));
  const transactions = Array.from({ length: 3 }, (_, n) =>
    sql.begin((tx) => tx`insert into notes values (${n})`),
  );
  await Promise.all([...before, ...transactions]);
  await sql.end();
  expect(await database.sql`select n from notes order by n`).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }]);
});
