import { expect, test } from 'vitest';
import { askAll, askWorklist } from '#scripts/bench/admin.ts';
import {
  addAdminData,
  addDeliveryAttempts,
  addFailedDeliveries,
  addOutcomes,
} from '#scripts/bench/adminData.ts';
import { askFigures } from '#scripts/bench/insights.ts';
import { testDb } from '#test/support/testDb.ts';

test('nothing that staff ask of the list reads the table of leads from one end to the other', async () => {
  await using database = await testDb({ max: 1 });
  await addAdminData(database.db, { leads: 3_000, providers: 50 });
  await addFailedDeliveries(database.db);
  const connection = { ...database, close: () => Promise.resolve() };
  const results = await askAll(connection, 1);
  expect(results.length).toBeGreaterThan(20);
  for (const { name, total, plans } of results) {
    expect([name, plans.length > 0]).toEqual([name, true]);
    expect(total).toBeLessThanOrEqual(3_000);
  }
  const { total, plans } = await askWorklist(connection, 1);
  // 300 have no clinic, none of them quarantined but every fifth; 30 deliveries failed, of which 3 were begun anew; 60 are quarantined.
  expect(total).toBe(240 + 27 + 60);
  expect(plans.join('\n')).toMatch(
    /leads_unmatched_idx[^]*leads_delivery_failed_idx[^]*leads_quarantined_idx/,
  );
  expect(results.find(({ name }) => name === 'first page')).toMatchObject({
    total: 3_000,
    totalIsEstimate: false,
  });
});

test('no figure of the insights reads the tables of leads and tries: their indexes hold all that is counted', async () => {
  await using database = await testDb({ max: 1 });
  await addAdminData(database.db, { leads: 3_000, providers: 50 });
  await addDeliveryAttempts(database.db);
  await addOutcomes(database.db);
  const results = await askFigures({ ...database, close: () => Promise.resolve() }, 1);
  const scans = results.map(({ name, plans }) => [
    name,
    ...[...plans.join('\n').matchAll(/Index Only Scan using (\w+)/g)].map(([, index]) => index),
  ]);
  expect(scans).toEqual(
    ['30 days', '366 days'].flatMap((days) => [
      [`leads by day, ${days}`, 'leads_created_idx'],
      [`first deliveries, ${days}`, 'leads_created_idx', 'delivery_attempts_lead_idx'],
      [`first contacts, ${days}`, 'leads_created_idx', 'lead_outcomes_contact_idx'],
      [`delivery health, ${days}`, 'delivery_attempts_at_idx'],
      [`demand, ${days}`, 'leads_unmatched_idx'],
    ]),
  );
});
