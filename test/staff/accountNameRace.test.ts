import { expect, test, vi } from 'vitest';
import { insertAccount } from '#server/features/staff/accounts.ts';
import { testDb } from '#test/support/testDb.ts';

const given = { role: 'viewer', passwordHash: 'x', createdAt: new Date() } as const;

test('whoever takes a name that another account is just taking waits for it, and is refused once that one is stored', async () => {
  await using database = await testDb();
  const { db, sql } = database;
  const stored = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const first = db.transaction(async (tx) => {
    await insertAccount(tx, { ...given, name: 'Ada Reed', email: 'ada@staff.example' });
    stored.resolve();
    await release.promise;
  });
  await stored.promise;
  const both = Promise.allSettled([
    first,
    db.transaction((tx) => insertAccount(tx, { ...given, name: 'ADA REED', email: 'other@staff.example' })),
  ]);
  await vi.waitUntil(async () => {
    const waiting = await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return waiting.length > 0;
  });
  release.resolve();
  expect(await both).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'CONFLICT' } }]);
});
