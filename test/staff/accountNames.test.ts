import { expect, test } from 'vitest';
import { insertAccount } from '#server/features/auth/accounts.ts';
import { testDb } from '#test/support/testDb.ts';
import { waitUntil } from '#test/support/waitFor.ts';

const given = { role: 'viewer', passwordHash: 'x', createdAt: new Date() } as const;
const ada = { ...given, name: 'Ada Reed', email: 'ada@staff.example' };

test('a name that another transaction is storing, in any case, is refused', async () => {
  await using database = await testDb();
  const { db, sql } = database;
  const stored = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const first = db.transaction(async (tx) => {
    await insertAccount(tx, ada);
    stored.resolve();
    await release.promise;
  });
  await stored.promise;
  const both = Promise.allSettled([
    first,
    db.transaction((tx) => insertAccount(tx, { ...given, name: 'ADA REED', email: 'other@staff.example' })),
  ]);
  await waitUntil(async () => {
    const waiting = await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return waiting.length > 0;
  });
  release.resolve();
  const fields = { name: 'There is an account with this name already' };
  expect(await both).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'CONFLICT', fields } }]);
});

test('an address that has an account is refused in any case', async () => {
  await using database = await testDb();
  await insertAccount(database.db, ada);
  await expect(
    insertAccount(database.db, { ...ada, name: 'Someone', email: 'ADA@staff.example' }),
  ).rejects.toMatchObject({ fields: { email: 'There is an account with this email already' } });
});
