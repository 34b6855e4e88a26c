import * as fc from 'fast-check';
import { sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { testDb } from '#test/support/testDb.ts';
import { csvLine } from './csv.ts';
import { csvCell } from './csvFile.ts';

test('the database writes a cell as csv.ts does, whatever is in it', async () => {
  await using database = await testDb();
  const { sql: cell } = new PgDialect().sqlToQuery(csvCell(sql.raw('typed.value'), 'text'));
  const text = fc.string({
    unit: fc.constantFrom('a', '"', ',', '\r', '\n', '\t', '=', '+', '-', '@', "'", '\\', 'é', '😀', ' '),
    maxLength: 6,
  });
  const values = fc.sample(fc.option(text, { freq: 20 }), 2000);
  const rows = await database.sql.unsafe<{ cell: string }[]>(
    `select ${cell} as cell from unnest($1::text[]) with ordinality as typed(value, place) order by place`,
    [values],
  );
  expect(rows.map((row) => row.cell)).toEqual(values.map((value) => csvLine([value]).slice(0, -2)));
});
