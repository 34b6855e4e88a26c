import { expect, test } from 'vitest';
import { createFieldMap } from '#server/config/fieldMap.ts';
import { connect } from '#server/db/connect.ts';
import { loadZipTable } from '#server/features/matching/zipTable.ts';
import { record } from '#test/support/providerRecord.ts';
import { testDb } from '#test/support/testDb.ts';
import { createStagingTable, StagedProviders } from './stagedProviders.ts';

test('providers are written a thousand per statement, while pages are still read', async () => {
  await using database = await testDb();
  const { sql, db, close } = connect(database.url, { applicationName: 'staging', max: 1 });
  await using at = new AsyncDisposableStack();
  at.defer(close);
  let statements = 0;
  sql.options.debug = (_connection, statement) => {
    if (/insert into sync_incoming/.test(statement)) statements += 1;
  };
  await createStagingTable(db, 'connection');
  const staged = new StagedProviders(db, {
    fields: createFieldMap({}),
    mainDomains: ['main.example'],
    zipTable: loadZipTable(),
    base: null,
  });
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
