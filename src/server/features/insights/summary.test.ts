import { afterAll, beforeAll, expect, test } from 'vitest';
import { type InsightsRange, previousRange, providersListedMax } from '#shared/admin/insights.ts';
import { leadListInput, listedFilter } from '#shared/admin/adminLeads.ts';
import { insertInsightsPopulation, type InsightsPopulation } from '#test/support/insightsPopulation.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { listLeads } from '../leads/list/leadList.ts';
import { flagFailedDeliveries } from '../outbox/leadStatus.ts';
import { repeatReason } from '../outbox/repeats.ts';
import { providerFigures } from './providerFigures.ts';
import { summary } from './summary.ts';

let database: TestDb;
let population: InsightsPopulation;

/** The emails of matched leads, by turns: delivered, refused then delivered, failed, waiting, canceled, a repeat. */
const emails = [
  [{ state: 'delivered' }],
  [{ state: 'failed' }, { state: 'delivered' }],
  [{ state: 'failed' }],
  [{ state: 'queued' }],
  [{ state: 'cancelled' }],
  [{ state: 'cancelled', reason: repeatReason }],
] as const;

beforeAll(async () => {
  database = await testDb();
  population = await insertInsightsPopulation(database.db);
  const matched = population.rows.filter(({ providerId }) => providerId !== null);
  if (matched.length < 100) throw new Error('too few leads');
  for (const [index, { id: leadId, providerId, createdAt }] of matched.entries())
    for (const [step, email] of (emails[index % emails.length] ?? []).entries())
      await insertDelivery(database, {
        ...{ leadId, providerId, channel: 'provider-email', ...email },
        createdAt: new Date(createdAt.getTime() + step * 1_000),
      });
  await flagFailedDeliveries(
    database.db,
    population.rows.map(({ id }) => id),
  );
  await database.sql`update leads set outcome = latest.outcome from (
    select distinct on (lead_id) lead_id, outcome from lead_outcomes order by lead_id, id desc
  ) as latest where latest.lead_id = leads.id`;
});
afterAll(() => database[Symbol.asyncDispose]());

/** One row per lead, day by day of the zone: nothing that the figures are read by. */
async function countPlainly({ from, to, zone = 'UTC' }: InsightsRange, providerId: number | null = null) {
  const [row] = await database.sql`
    with wanted as (
      select *, exists (
          select from deliveries d where d.lead_id = l.id and d.provider_id = l.provider_id and d.channel = 'provider-email'
            and (d.state = 'delivered' or (d.state = 'cancelled' and d.reason = ${repeatReason}))
        ) as is_sent,
        (select round(extract(epoch from min(o.at) - l.created_at) * 1000) from lead_outcomes o where o.lead_id = l.id) as wait
      from leads l where deleted_at is null and quarantined_at is null
        and (created_at at time zone ${zone})::date between ${from}::date and ${to}::date
        and (${providerId}::bigint is null or provider_id = ${providerId})
    )
    select count(*)::int as leads, count(provider_id)::int as matched,
      (count(*) filter (where provider_id is not null and is_sent))::int as "clinicReached",
      (count(*) filter (where clinic_not_reached))::int as "clinicNotReached",
      (percentile_cont(0.5) within group (order by wait) / 1000)::float8 as "medianSeconds",
      (count(*) filter (where outcome = 'reached' or outcome = 'booked'))::int as reached,
      (count(*) filter (where outcome = 'booked'))::int as booked,
      (count(*) filter (where provider_id is not null and outcome is null))::int as "noOutcome",
      (count(*) filter (where delivery_failed))::int as failed
    from wanted`;
  return row;
}

/** The days around the first of daylight saving time, the range before it, and a day without leads. */
const ranges: InsightsRange[] = [
  { from: '2026-03-01', to: '2026-03-10' },
  { from: '2026-03-02', to: '2026-03-08', zone: 'America/Denver' },
  { from: '2026-02-20', to: '2026-03-11', zone: 'Pacific/Auckland' },
  { from: '2026-03-08', to: '2026-03-08', zone: 'America/Los_Angeles' },
  { from: '2025-03-01', to: '2025-03-31', zone: 'America/Denver' },
];

test('the seven figures equal plain counts of this period and the one before', async () => {
  const seen = new Set<string>();
  for (const range of ranges) {
    const found = await summary(database.db, range);
    expect({ range, ...found }).toEqual({
      range,
      current: await countPlainly(range),
      previous: await countPlainly(previousRange(range)),
      hasLeads: true,
    });
    for (const [key, figure] of Object.entries(found.current))
      if (figure !== null && figure > 0) seen.add(key);
  }
  expect(seen.size).toBe(9);
});

test('each figure equals the total of the list that it links to', async () => {
  const { current } = await summary(database.db, {
    from: '2026-03-02',
    to: '2026-03-08',
    zone: 'America/Denver',
  });
  const total = async (filter: Parameters<typeof listedFilter>[0]) => {
    const days = { createdFrom: '2026-03-02T07:00:00Z', createdBefore: '2026-03-09T06:00:00Z' };
    return (await listLeads(database.db, leadListInput.parse({ ...listedFilter(filter), ...days }))).total;
  };
  expect({
    leads: await total({}),
    matched: await total({ match: 'matched' }),
    clinicNotReached: await total({ delivery: 'clinic' }),
    reached: await total({ outcome: 'contacted' }),
    booked: await total({ outcome: 'booked' }),
    noOutcome: await total({ match: 'matched', outcome: 'none' }),
    failed: await total({ delivery: 'failed' }),
  }).toEqual({
    leads: current.leads,
    matched: current.matched,
    clinicNotReached: current.clinicNotReached,
    reached: current.reached,
    booked: current.booked,
    noOutcome: current.noOutcome,
    failed: current.failed,
  });
});

test('providers’ figures equal plain counts of their leads, most leads first', async () => {
  for (const range of ranges) {
    const { network, providers } = await providerFigures(database.db, range);
    const expected = [];
    for (const { id, name } of population.providers) {
      const { matched, reached, booked, medianSeconds } = (await countPlainly(range, id)) ?? {};
      if (matched > 0) expected.push({ id, name, matched, reached, booked, medianSeconds });
    }
    expect(providers.length).toBeLessThan(providersListedMax);
    expect(providers).toEqual(expected.toSorted((a, b) => b.matched - a.matched || a.id - b.id));
    expect(network.matched).toBe(providers.reduce((sum, { matched }) => sum + matched, 0));
    expect(network.booked).toBe(providers.reduce((sum, { booked }) => sum + booked, 0));
  }
});

test('without leads there are no figures to show', async () => {
  await using own = await testDb();
  const found = await summary(own.db, { from: '2026-03-01', to: '2026-03-10' });
  expect([found.hasLeads, found.current.leads, found.current.medianSeconds]).toEqual([false, 0, null]);
  const { providers } = await providerFigures(own.db, { from: '2026-03-01', to: '2026-03-10' });
  expect(providers).toEqual([]);
});
