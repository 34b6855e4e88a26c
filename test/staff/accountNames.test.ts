import { expect, test } from 'vitest';
import { insertAccount } from '#server/features/staff/accounts.ts';
import { testDb } from '#test/support/testDb.ts';

const given = { role: 'viewer', passwordHash: 'x', createdAt: new Date() } as const;
const ada = { ...given, name: 'Ada Reed', email: 'ada@staff.example' };

test('of two accounts that take one name in one instant, whatever its case, the second is refused for the name', async () => {
  await using database = await testDb();
  const { db } = database;
  const stored = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const first = db.transaction(async (tx) => {
    await insertAccount(tx, ada);
    stored.resolve();
    await release.promise;
  });
  await stored.promise;
  const second = db.transaction((tx) =>
    insertAccount(tx, { ...given, name: 'ADA REED', email: 'other@staff.example' }),
  );
  const refused = expect(second).rejects.toMatchObject({
    code: 'CONFLICT',
    fields: { name: 'There is an account with this name already' },
  });
  release.resolve();
  await Promise.all([first, refused]);
  await expect(
    insertAccount(db, { ...ada, name: 'Someone', email: 'ADA@staff.example' }),
  ).rejects.toMatchObject({
    fields: { email: 'There is an account with this email already' },
  });
});
