import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { connect, type Sql } from '#server/db/connect.ts';
import { testDb } from '#test/support/testDb.ts';
import { waitUntil } from '#test/support/waitFor.ts';
import { databaseLink } from '#test/tenancy/databaseLink.ts';

/** One connection that has prepared `select n`, so that the next of these are sent without waiting for answers. */
async function busyConnection(url: string): Promise<{ sql: Sql; numberOf: (n: number) => Promise<unknown> }> {
  const { sql } = connect(url, { applicationName: 'pipelining', max: 1 });
  const getNumber = async (n: number): Promise<unknown> => {
    const [row] = await sql`select ${n}::int as n`;
    return row?.['n'];
  };
  await getNumber(0);
  return { sql, numberOf: getNumber };
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

test('every statement of a transaction that lost its connection fails, unsent ones too', async () => {
  await using database = await testDb();
  await using link = await databaseLink(database.url);
  const { sql } = connect(link.url(database.url), { applicationName: 'pipelining', max: 1 });
  const statements: Promise<unknown>[] = [];
  const holder = await database.sql.reserve();
  await holder`select pg_advisory_lock(lock) from generate_series(1, 3) as lock`;
  const transaction = sql.begin(async (tx) => {
    await tx`select 1`;
    // The first has a parameter, so the driver asks for its description and holds the others back.
    statements.push(...[1, 2, 3].map((lock) => tx`select pg_advisory_lock(${lock})`.execute()));
    link.reset();
    await Promise.allSettled(statements);
  });
  await expect(transaction).rejects.toMatchObject({
    code: expect.stringMatching(/^(ECONNRESET|CONNECTION_CLOSED)$/),
  });
  const outcomes = await Promise.allSettled(statements);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await holder`select pg_advisory_unlock_all()`;
  holder.release();
  await sql.end();
});

test('rows that arrived before a connection was lost are not in the next result', async () => {
  await using database = await testDb();
  await using link = await databaseLink(database.url);
  const { sql } = connect(link.url(database.url), { applicationName: 'pipelining', max: 1 });
  await sql`select 1`;
  const holder = await database.sql.reserve();
  await holder`select pg_advisory_lock(1)`;
  const lost = sql`
    select n, case when n > 1000 then pg_advisory_lock(1)::text end from generate_series(1, 2000) n`;
  const failed = lost.execute().catch(() => 'lost');
  const waiting = () =>
    database.sql`select from pg_stat_activity where wait_event = 'advisory' and datname = current_database()`;
  await expect.poll(waiting).toHaveLength(1);
  link.reset();
  expect(await failed).toBe('lost');
  await holder`select pg_advisory_unlock_all()`;
  holder.release();
  // What is sent before the driver notices fails.
  const next = await waitUntil(() => sql`select 7 as n`.catch(() => null));
  expect(next).toEqual([{ n: 7 }]);
  await sql.end();
});

test('a minor collection frees what statements and transactions leave', async () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('V8 exposes no gc');
  await using database = await testDb();
  const { sql } = connect(database.url, { applicationName: 'pipelining', max: 1 });
  const runTransactions = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1)
      await sql.begin((tx) => Promise.all([tx`select ${'x'.repeat(100)}::text`, tx`select 2`]));
  };
  await runTransactions(300);
  collect();
  const before = process.memoryUsage().heapUsed;
  await runTransactions(500);
  for (let pass = 0; pass < 2; pass += 1) collect({ type: 'minor' });
  // 3.3 MB where each statement is kept until the next major collection.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(1_500_000);
  await sql.end();
});
