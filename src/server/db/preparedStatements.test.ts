import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { testDb } from '#test/support/testDb.ts';
import { connect } from './connect.ts';
import { withPreparedStatements } from './preparedStatements.ts';

test('a changed table fails statements sent together once, and not the next time', async () => {
  await using database = await testDb({ max: 1 });
  await database.sql`create table notes (id int)`;
  const db = withPreparedStatements(database.db);
  const readBoth = () =>
    db.transaction((tx) =>
      Promise.all([tx.execute(sql`select * from notes where id > ${0}`), tx.execute(sql`select 7 as seven`)]),
    );
  expect((await readBoth())[1][0]).toEqual({ seven: 7 });
  await database.sql`alter table notes add column text text`;
  await expect(readBoth()).rejects.toMatchObject({ cause: { code: '0A000' } });
  await database.sql`insert into notes values (1, 'one')`;
  const [notes, others] = await readBoth();
  expect([notes[0], others[0]]).toEqual([{ id: 1, text: 'one' }, { seven: 7 }]);
});

test.each([
  [true, 3],
  [false, 0],
])('with prepare: %s, %i of three statements stay prepared', async (prepare, expected) => {
  await using database = await testDb({ max: 1 });
  const { sql: pool, db, close } = connect(database.url, { applicationName: 'test', max: 1, prepare });
  try {
    await pool`select ${1}::int as n`;
    await pool.unsafe('select $1::int as m', [2], { prepare: true });
    await withPreparedStatements(db).transaction((tx) => tx.execute(sql`select ${3}::int as o`));
    const names = await pool.unsafe<{ statement: string }[]>(
      "select statement from pg_prepared_statements where statement like '%::int as _'",
    );
    expect(names).toHaveLength(expected);
  } finally {
    await close();
  }
});
