import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { testDb } from '#test/support/testDb.ts';
import { bigintColumn, readRow, readRows, timeColumn } from './readRows.ts';

test('rows of a statement are parsed; another shape is refused without its values', async () => {
  await using database = await testDb();
  const { db } = database;
  const row = z.object({ id: bigintColumn, at: timeColumn, name: z.string() });
  const from = sql`(values (7::bigint, '2026-06-01 12:00:00.5+00', 'One'), (8, '2026-06-02 12:00:00+02', null)) as t (id, at, name)`;
  expect(await readRows(db, row)`select * from ${from} where id < ${8}`).toEqual([
    { id: 7, at: new Date('2026-06-01T12:00:00.500Z'), name: 'One' },
  ]);
  expect(await readRow(db, row)`select id, at, name from ${from} order by id`).toMatchObject({ id: 7 });
  const refused = await readRows(db, row.extend({ name: z.number() }))`select * from ${from}`.catch(String);
  expect(refused).toContain('"name"');
  expect(refused).not.toContain('One');
  await expect(readRows(db, row)`select * from ${from}`).rejects.toThrow('"name"');
  await expect(readRow(db, row)`select * from ${from} where id = ${9}`).rejects.toThrow(z.ZodError);
});
