import { expect, test } from 'vitest';
import { askAll } from '#scripts/bench/admin.ts';
import { addAdminData } from '#scripts/bench/adminData.ts';
import { testDb } from '#test/support/testDb.ts';

test('nothing that staff ask of the list reads the table of leads from one end to the other', async () => {
  await using database = await testDb({ max: 1 });
  await addAdminData(database.db, { leads: 3_000, providers: 50 });
  const results = await askAll({ ...database, close: () => Promise.resolve() }, 1);
  expect(results.length).toBeGreaterThan(20);
  for (const { name, total, plans } of results) {
    expect([name, plans.length > 0]).toEqual([name, true]);
    expect(total).toBeLessThanOrEqual(3_000);
  }
  expect(results.find(({ name }) => name === 'first page')).toMatchObject({
    total: 3_000,
    totalIsEstimate: false,
  });
});
