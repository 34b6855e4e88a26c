import { expect, test } from 'vitest';
import { createFieldMap } from '#server/config/fieldMap.ts';
import { connect } from '#server/db/connect.ts';
import { loadZipTable } from '#server/features/matching/zipTable.ts';
import { record } from '#test/support/providerRecord.ts';
import { testDb } from '#test/support/testDb.ts';
import { meets } from '#test/support/meets.ts';
import { createStagingTable, StagedProviders } from './stagedProviders.ts';

/** A connection with a staging table, and what fills it. */
async function setUp(database: { url: string }) {
  const { sql, db, close } = connect(database.url, { applicationName: 'staging', max: 1 });
  await createStagingTable(db, 'connection');
  const staged = new StagedProviders(db, {
    fields: createFieldMap({}),
    mainDomains: ['main.example'],
    zipTable: loadZipTable(),
    base: null,
  });
  return { sql, staged, [Symbol.asyncDispose]: close };
}

test('providers are written a thousand per statement, while pages are still read', async () => {
  meets('D.sync.08');
  await using database = await testDb();
  await using staging = await setUp(database);
  const { sql, staged } = staging;
  let statements = 0;
  sql.options.debug = (_connection, statement) => {
    if (/insert into sync_incoming/.test(statement)) statements += 1;
  };
  for (let page = 0; page < 25; page += 1) {
    const records = Array.from({ length: 100 }, (_, index) => ({ ...record, id: page * 100 + index + 1 }));
    await staged.add({ records, media: new Map() });
  }
  await expect.poll(() => statements).toBe(2);
  await staged.flush();
  expect(statements).toBe(3);
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from sync_incoming`;
  expect(row?.n).toBe(2_500);
});

test('other work runs between the rows of one page', async () => {
  await using database = await testDb();
  await using staging = await setUp(database);
  const { staged } = staging;
  const records = Array.from({ length: 20_000 }, (_, at) => ({ ...record, id: at + 1 }));
  const between: number[] = [];
  const look = (): void => {
    if (staged.read > 0 && staged.read < records.length) between.push(staged.read);
    next = setImmediate(look);
  };
  let next = setImmediate(look);
  expect(await staged.add({ records, media: new Map() })).toHaveLength(records.length);
  clearImmediate(next);
  expect(new Set(between).size).toBeGreaterThan(5);
});
