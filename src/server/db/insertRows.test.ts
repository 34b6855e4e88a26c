import { PgDialect } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { testDb } from '#test/support/testDb.ts';
import { insertRows } from './insertRows.ts';
import { providers, webhookEndpoints } from './schema/index.ts';

test('each kind of value is stored as drizzle stores it; missing columns get defaults', async () => {
  await using database = await testDb();
  const { db } = database;
  const createdAt = new Date('2026-06-01T12:00:00.123Z');
  const rows = [
    {
      id: crypto.randomUUID(),
      url: 'https://a.example/?x=\'"\\',
      types: ['lead.created' as const, 'lead.deleted' as const],
      createdAt,
    },
    { id: crypto.randomUUID(), url: 'https://b.example/é\u2028\ud83d', types: [], createdAt },
  ].map((row) => ({ ...row, payload: 'thin' as const, secret: 'sealed', createdBy: 'Test' }));
  await db.execute(insertRows(webhookEndpoints, rows));
  const [byList] = await db.select().from(webhookEndpoints);
  expect(byList).toMatchObject({ description: '', failures: 0, disabledAt: null });
  const stored = await db.select().from(webhookEndpoints);
  await db.delete(webhookEndpoints);
  await db.insert(webhookEndpoints).values(rows);
  expect(stored).toEqual(await db.select().from(webhookEndpoints));
});

test('numbers keep their digits; the text is the same for any number of rows', async () => {
  await using database = await testDb();
  const { db } = database;
  const row = {
    name: 'One',
    email: 'one@mail.example',
    latitude: 39.739236,
    longitude: -104.990251,
    zipCode: '80202',
    status: 't' as const,
  };
  await db.execute(insertRows(providers, [row]));
  expect(
    await db.select({ latitude: providers.latitude, longitude: providers.longitude }).from(providers),
  ).toEqual([{ latitude: 39.739236, longitude: -104.990251 }]);
  const dialect = new PgDialect();
  const toText = (count: number) =>
    dialect.sqlToQuery(
      insertRows(
        providers,
        Array.from({ length: count }, () => row),
      ),
    ).sql;
  expect(toText(1)).toBe(toText(30));
});
