import { expect, test } from 'vitest';
import { dayMs, hourMs } from '#shared/formats/time.ts';
import { leadOutcomes } from '#server/db/schema/index.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertLeads } from '#test/support/leadRows.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { testDb } from '#test/support/testDb.ts';
import { getProviderDetail } from './providerDetail.ts';
import { readNetworkFigures } from './providerFigures.ts';

const now = new Date('2026-11-15T12:00:00Z');
const config = { matchRadiusMiles: 100, wordpressUrl: null };
const daysAgo = (days: number): Date => new Date(now.getTime() - days * dayMs);

test('a provider’s figures leave out deleted, quarantined and old leads', async () => {
  await using database = await testDb();
  const { db } = database;
  const [{ id: providerId }, { id: otherId }] = [await insertProvider(db), await insertProvider(db)];
  const rows = await insertLeads(db, [
    { providerId, createdAt: daysAgo(1), outcome: 'booked' },
    { providerId, createdAt: daysAgo(2), outcome: 'reached' },
    { providerId, createdAt: daysAgo(20), outcome: 'not-reachable' },
    { providerId, createdAt: daysAgo(20) },
    { providerId, createdAt: daysAgo(100), outcome: 'booked' },
    { providerId, createdAt: daysAgo(400), outcome: 'booked' },
    { providerId, createdAt: daysAgo(1), outcome: 'booked', deletedAt: now },
    { providerId, createdAt: daysAgo(1), quarantinedAt: now, quarantineReason: 'honeypot' },
    { providerId: otherId, createdAt: daysAgo(3), outcome: 'reached' },
    { createdAt: daysAgo(3) },
  ]);
  const report = (
    index: number,
    hours: number,
    by: number,
    outcome: 'reached' | 'booked' | 'not-reachable',
  ) => {
    const lead = rows[index];
    if (lead === undefined) throw new Error('no lead');
    const at = new Date(lead.createdAt.getTime() + hours * hourMs);
    return { leadId: lead.id, providerId: by, outcome, by: 'Clinic', at };
  };
  await db
    .insert(leadOutcomes)
    .values([
      report(0, 1, providerId, 'reached'),
      report(0, 30, providerId, 'booked'),
      report(1, 3, providerId, 'reached'),
      report(2, 8, providerId, 'not-reachable'),
      report(4, 99, providerId, 'booked'),
      report(8, 5, otherId, 'reached'),
    ]);
  const detail = await getProviderDetail({ db, config, now: () => now }, { id: providerId });
  expect(detail.figures).toEqual({ leads: 4, reached: 2, booked: 1, outcomes: 3, medianSeconds: 3 * 3600 });
  expect(detail.months.map(({ month }) => month).at(0)).toBe('2025-12');
  expect(detail.months.filter(({ leads }) => leads > 0)).toEqual([
    { month: '2026-08', leads: 1 },
    { month: '2026-10', leads: 2 },
    { month: '2026-11', leads: 2 },
  ]);
  expect(await readNetworkFigures(db, now)).toEqual({
    providers: [
      { id: providerId, leads: 4, thisMonth: 2, reached: 2, booked: 1 },
      { id: otherId, leads: 1, thisMonth: 1, reached: 1, booked: 0 },
    ],
    network: { leads: 5, reached: 3, booked: 1, outcomes: 4, medianSeconds: 4 * 3600 },
  });
});

test('the leads that a provider didn’t get have the reason of their newest email', async () => {
  await using database = await testDb();
  const { db } = database;
  const { id: providerId } = await insertProvider(db);
  const rows = await insertLeads(
    db,
    Array.from({ length: 7 }, (_, index) => ({
      providerId,
      createdAt: daysAgo(index),
      clinicNotReached: index < 6,
    })),
  );
  for (const lead of rows)
    for (const [days, reason] of [
      [5, 'Refused first.'],
      [1, `Refused ${lead.id}.`],
    ] as const)
      await insertDelivery(database, {
        ...{ leadId: lead.id, providerId, channel: 'provider-email', state: 'failed' },
        ...{ reason, nextAttemptAt: null, finishedAt: now, createdAt: daysAgo(days) },
      });
  const { refused } = await getProviderDetail({ db, config, now: () => now }, { id: providerId });
  expect(refused.total).toBe(6);
  const newest = rows.slice(0, 5).map(({ id }) => ({ leadId: id, reason: `Refused ${id}.` }));
  expect(refused.latest).toMatchObject(newest);
});
