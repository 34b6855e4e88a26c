import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { askAll, askWorklist } from '#test/bench/admin.ts';
import { addAdminData, addDeliveryAttempts, addListDeliveries, addOutcomes } from '#test/bench/adminData.ts';
import { askFigures } from '#test/bench/insights.ts';
import { listPlans } from '#test/bench/plans.ts';
import { leadListInput } from '#shared/admin/adminLeads.ts';
import { worklistFilters } from '#shared/admin/worklist.ts';
import { countingLimits, listLeads } from '#server/features/leads/list/leadList.ts';
import { getProviderDetail } from '#server/features/providers/providerDetail.ts';
import { readNetworkFigures } from '#server/features/providers/providerFigures.ts';
import { leads } from '#server/db/schema/index.ts';
import { findUsualHour } from '#server/features/leads/intake/floodLimits.ts';
import { testDb } from '#test/support/testDb.ts';

/** A plan that reads a large table from one end to the other. */
const scansLargeTable = /Seq Scan on (?:leads|deliveries|delivery_attempts|lead_outcomes)\b/;

test('no query of the leads list scans the table of leads', async () => {
  await using database = await testDb({ max: 1 });
  await addAdminData(database.db, { leads: 3_000, providers: 50 });
  await addListDeliveries(database.db);
  const connection = { ...database, close: () => Promise.resolve() };
  const results = await askAll(connection, 1);
  expect(results.length).toBeGreaterThan(20);
  for (const { name, total, plans } of results) {
    expect([name, plans.length > 0]).toEqual([name, true]);
    expect([name, plans.filter((plan) => scansLargeTable.test(plan))]).toEqual([name, []]);
    expect(total).toBeLessThanOrEqual(3_000);
  }
  const { total, plans } = await askWorklist(connection, 1);
  const refusedByCrm = await database.db.$count(leads, eq(leads.crmSyncStatus, 'failed'));
  expect(refusedByCrm).toBeGreaterThan(0);
  // 300 have no provider, every fifth of them quarantined; all 60 quarantined are counted too; six clinics weren’t
  // reached.
  expect(total).toBe(240 + 60 + 6 + refusedByCrm);
  expect(plans.length).toBeGreaterThan(0);
  expect(plans.filter((plan) => scansLargeTable.test(plan))).toEqual([]);
  expect(results.find(({ name }) => name === 'first page')).toMatchObject({
    total: 3_000,
    totalIsEstimate: false,
  });
});

test('of 100,000 leads, the unmatched ones’ page and number come from their index', async () => {
  await using database = await testDb({ max: 1 });
  await addAdminData(database.db, { leads: 100_000, providers: 50 });
  const input = leadListInput.parse({ ...worklistFilters.unmatched, page: 3 });
  const filters = { ...countingLimits.filters, fewMs: 60_000, orderedMs: 60_000 };
  const limits = { ...countingLimits, filters, countMs: 60_000 };
  const connection = { ...database, close: () => Promise.resolve() };
  let total: number | null = null;
  const plans = await listPlans(connection, async (db) => {
    ({ total } = await listLeads(db, input, limits));
  });
  expect(total).toBe(8_000);
  const [few, page, count] = plans.filter((plan) => plan.includes('quarantined_at IS NULL'));
  expect(few).toMatch(/^CTE Scan on counted .* Index Only Scan using leads_unmatched_idx on leads \|/);
  expect(count).toMatch(/^Aggregate \|.* Index Only Scan using leads_unmatched_idx on leads/);
  // In the order of the index: only leads of the same time are sorted.
  expect(page).toMatch(
    /^Limit .*Presorted Key: created_at .* Index Only Scan using leads_unmatched_idx on leads/,
  );
  expect(plans.filter((plan) => scansLargeTable.test(plan))).toEqual([]);
});

test('no figure of the insights scans the tables of leads, attempts or outcomes', async () => {
  await using database = await testDb({ max: 1 });
  await addAdminData(database.db, { leads: 3_000, providers: 50 });
  await addDeliveryAttempts(database.db);
  await addOutcomes(database.db);
  const results = await askFigures({ ...database, close: () => Promise.resolve() }, 1);
  expect(results).toHaveLength(14);
  for (const { name, plans } of results) {
    expect([name, plans.length > 0]).toEqual([name, true]);
    expect([name, plans.filter((plan) => scansLargeTable.test(plan))]).toEqual([name, []]);
  }
});

test('no figure of a provider or of the network scans a large table', async () => {
  await using database = await testDb({ max: 1 });
  await addAdminData(database.db, { leads: 3_000, providers: 50 });
  await addListDeliveries(database.db);
  await addOutcomes(database.db);
  const now = () => new Date('2026-10-31T00:00:00Z');
  const config = { matchRadiusMiles: 100, wordpressUrl: null };
  const plans = await listPlans({ ...database, close: () => Promise.resolve() }, async (db) => {
    await getProviderDetail({ db, config, now }, { id: 7 });
    await readNetworkFigures(db, now());
  });
  expect(plans.length).toBeGreaterThan(6);
  expect(plans.filter((plan) => scansLargeTable.test(plan))).toEqual([]);
});

test('a provider’s usual hour is read without a scan of the table of leads', async () => {
  await using database = await testDb({ max: 1 });
  await addAdminData(database.db, { leads: 3_000, providers: 50 });
  const newest = new Date('2026-10-31T00:00:00Z');
  const plans = await listPlans({ ...database, close: () => Promise.resolve() }, (db) =>
    findUsualHour(db, 7, newest),
  );
  expect(plans).toHaveLength(1);
  expect(plans.filter((plan) => scansLargeTable.test(plan))).toEqual([]);
});

test('a query without an index is found to scan the table', async () => {
  await using database = await testDb({ max: 1 });
  await addAdminData(database.db, { leads: 3_000, providers: 50 });
  const plans = await listPlans({ ...database, close: () => Promise.resolve() }, (db) =>
    db.$count(leads, eq(leads.firstName, 'Nobody')),
  );
  expect(plans).toEqual([expect.stringMatching(scansLargeTable)]);
});
