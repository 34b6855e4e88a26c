import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Connection } from '#server/db/connect.ts';
import { percentileLeadsMin } from '#shared/admin/insights.ts';
import { deliveryOutcomes, leadChannels } from '#shared/admin/deliveries.ts';
import { deliveryAttempts } from '#server/db/schema/index.ts';
import {
  listContacts,
  counted,
  toDay,
  daysIn,
  isIn,
  leadsModel,
  listOutcomes,
  waitModel,
  listWaits,
} from '#test/support/insightsModel.ts';
import {
  daysOfPopulation,
  firstDayOfPopulation,
  type InsightsPopulation,
  insertInsightsPopulation,
} from '#test/support/insightsPopulation.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { insertWebhook } from '#test/support/webhookRows.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertDeliveryAttempts, insertLeads } from '#test/support/leadRows.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { suppressedReason } from '#shared/leads/suppression.ts';
import { assignLeads } from '../leads/changes/assignLeads.ts';
import { repeatReason } from '../outbox/repeats.ts';
import { loadZipTable } from '../matching/zipTable.ts';
import { deliveryHealth } from './deliveryHealth.ts';
import { demand } from './demand.ts';
import { firstContacts } from './firstContacts.ts';
import { firstDeliveries } from './firstDeliveries.ts';
import { leadsByDay } from './leadsByDay.ts';

const dayMs = 86_400_000;

let database: TestDb;
/** A session half a day from UTC, which must not change the figures. */
let connection: Connection;
let population: InsightsPopulation;

beforeAll(async () => {
  database = await testDb();
  await database.sql.unsafe(
    `alter database "${new URL(database.url).pathname.slice(1)}" set timezone to 'Pacific/Auckland'`,
  );
  connection = connect(database.url, { applicationName: 'test-insights', max: 4 });
  population = await insertInsightsPopulation(connection.db);
  await insertWebhookAttempts();
});
afterAll(async () => {
  await connection.close();
  await database[Symbol.asyncDispose]();
});

/** Webhooks, which no figure counts: two attempts right after each lead. */
async function insertWebhookAttempts(): Promise<void> {
  const endpointId = randomUUID();
  expect(population.rows.length).toBeGreaterThan(10);
  for (const { id: leadId, createdAt } of population.rows.slice(0, 10)) {
    const event = { type: 'lead.created', leadId };
    const finished = { state: 'delivered', attempts: 2, createdAt } as const;
    const deliveryId = await insertWebhook(connection, { endpointId, event, ...finished });
    const attempt = { deliveryId, channel: 'webhook', at: createdAt, durationMs: 1 } as const;
    await connection.db
      .insert(deliveryAttempts)
      .values(deliveryOutcomes.map((outcome) => ({ ...attempt, outcome })));
  }
}

const ranges = fc.sample(
  fc
    // Some are long enough to be read in halves.
    .tuple(
      fc.integer({ min: -3, max: daysOfPopulation }),
      fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 0, max: 12 }) }, fc.integer({ min: 31, max: 40 })),
    )
    .map(([start, length]) => ({
      from: toDay(new Date(firstDayOfPopulation + start * dayMs)),
      to: toDay(new Date(firstDayOfPopulation + (start + length) * dayMs)),
    })),
  { numRuns: 60, seed: 7 },
);

describe("each figure equals a plain model's for any range of days", () => {
  test('leads by day and site, most leads first', async () => {
    const seen = new Set<string>();
    for (const range of ranges) {
      const figure = await leadsByDay(connection.db, range);
      expect({ range, figure }).toEqual({ range, figure: leadsModel(population, range) });
      for (const { key } of figure.sites) seen.add(key);
      for (const { total } of figure.days) seen.add(total === 0 ? 'a day without leads' : 'a day with leads');
    }
    expect([...seen]).toEqual(
      expect.arrayContaining(['main', 'others', 'a day without leads', 'a day with leads']),
    );
  });

  test('the time to the first delivery', async () => {
    for (const range of ranges) {
      const all = daysIn(range).flatMap((day) => listWaits(population, day));
      expect({ range, ...(await firstDeliveries(connection.db, range)) }).toEqual({
        range,
        medianSeconds: waitModel(all.toSorted((a, b) => a - b)).medianSeconds,
        days: daysIn(range).map((day) => {
          const sorted = listWaits(population, day);
          const { medianSeconds, p95Seconds } = waitModel(sorted);
          const isEnough = sorted.length >= percentileLeadsMin;
          return { day, delivered: sorted.length, medianSeconds, p95Seconds: isEnough ? p95Seconds : null };
        }),
      });
    }
  });

  test('the time to the first contact', async () => {
    for (const range of ranges) {
      expect({ range, ...(await firstContacts(connection.db, range)) }).toEqual({
        range,
        days: daysIn(range).map((day) => {
          const sorted = listContacts(population, { from: day, to: day });
          return { day, contacted: sorted.length, ...waitModel(sorted) };
        }),
      });
    }
  });

  test('attempts by day and channel, also of hidden leads, without webhooks', async () => {
    for (const range of ranges) {
      const attempts = population.attempts.filter(({ at }) => isIn(range, at));
      const { days, channels } = await deliveryHealth(connection.db, range);
      expect({ range, days, channels }).toEqual({
        range,
        days: daysIn(range).map((day) => ({
          day,
          ...listOutcomes(attempts.filter(({ at }) => toDay(at) === day)),
        })),
        channels: leadChannels.map((channel) => ({
          channel,
          ...listOutcomes(attempts.filter((attempt) => attempt.channel === channel)),
        })),
      });
    }
  });

  test('demand: areas of leads without a provider, most leads first', async () => {
    const services = { db: connection.db, zipTable: loadZipTable() };
    for (const range of ranges) {
      const without = counted(population, range).filter(({ providerId }) => providerId === null);
      const byArea = Map.groupBy(without, ({ zip5 }) => zip5?.slice(0, 3) ?? null);
      const { areas, unplaced, total, areaCount } = await demand(services, range);
      expect([total, areaCount]).toEqual([without.length, areas.length]);
      expect({ range, unplaced, areas: areas.map(({ zip3, leads: count }) => [zip3, count]) }).toEqual({
        range,
        unplaced: byArea.get(null)?.length ?? 0,
        areas: [...byArea]
          .flatMap(([zip3, rows]) => (zip3 === null ? [] : [[zip3, rows.length] as const]))
          .toSorted(([a, countA], [b, countB]) => countB - countA || Number(a) - Number(b)),
      });
    }
  });
});

describe('how many leads reached their provider', () => {
  const range = { from: '2026-06-01', to: '2026-06-02' };
  const at = (text: string): Date => new Date(`2026-06-${text}Z`);

  test('counts each lead once, however many attempts it took', async () => {
    await using own = await testDb();
    const provider = await insertProvider(own.db);
    const [first, second, third, repeat, stopped, unmatched] = await insertLeads(own.db, [
      ...Array.from({ length: 5 }, () => ({ providerId: provider.id, createdAt: at('01T10:00:00') })),
      { createdAt: at('01T10:00:00') },
    ]);
    const email = {
      channel: 'provider-email',
      providerId: provider.id,
      createdAt: at('01T10:00:00'),
    } as const;
    // Refused, then sent again by staff.
    await insertDelivery(own, { ...email, leadId: first?.id, state: 'failed', attempts: 8 });
    await insertDelivery(own, { ...email, leadId: first?.id, state: 'delivered', attempts: 1 });
    await insertDelivery(own, { ...email, leadId: second?.id, state: 'failed', attempts: 1 });
    await insertDelivery(own, { ...email, leadId: third?.id, state: 'queued', attempts: 3 });
    const canceled = { ...email, state: 'cancelled' } as const;
    await insertDelivery(own, { ...canceled, leadId: repeat?.id, reason: repeatReason });
    await insertDelivery(own, { ...canceled, leadId: stopped?.id, reason: suppressedReason });
    const crm = { channel: 'crm', state: 'delivered', createdAt: at('02T10:00:00') } as const;
    await insertDelivery(own, { ...crm, leadId: unmatched?.id });
    const { leads, deliveries } = await deliveryHealth(own.db, range);
    expect(leads).toEqual({ reached: 2, total: 4 });
    expect(deliveries).toEqual([
      { channel: 'lead-email', delivered: 0, total: 0 },
      { channel: 'provider-email', delivered: 1, total: 4 },
      { channel: 'crm', delivered: 1, total: 1 },
    ]);
    expect((await deliveryHealth(own.db, { from: '2026-06-03', to: '2026-06-09' })).leads).toEqual({
      reached: 0,
      total: 0,
    });
  });

  test('a lead that got its provider later is left out of the time to first delivery', async () => {
    await using own = await testDb();
    const provider = await insertProvider(own.db);
    const [matched, later] = await insertLeads(own.db, [
      { providerId: provider.id, createdAt: at('01T10:00:00') },
      { createdAt: at('01T10:00:00') },
    ]);
    if (matched === undefined || later === undefined) throw new Error('no leads');
    await assignLeads(staffActionOn(own), [later.id], provider.id);
    await insertDeliveryAttempts(own.db, [
      { leadId: matched.id, at: at('01T10:00:04') },
      { leadId: later.id, at: at('06T10:00:00') },
    ]);
    const found = await firstDeliveries(own.db, range);
    expect(found).toMatchObject({
      medianSeconds: 4,
      days: [{ delivered: 1, medianSeconds: 4, p95Seconds: null }, { delivered: 0 }],
    });
  });

  test('a day has a 95th percentile from twenty leads', async () => {
    await using own = await testDb();
    const provider = await insertProvider(own.db);
    for (const count of [19, 20]) {
      const day = count === 19 ? '01' : '02';
      const rows = await insertLeads(
        own.db,
        Array.from({ length: count }, () => ({ providerId: provider.id, createdAt: at(`${day}T10:00:00`) })),
      );
      await insertDeliveryAttempts(
        own.db,
        rows.map(({ id }, index) => ({
          leadId: id,
          at: at(`${day}T10:00:${String(index + 1).padStart(2, '0')}`),
        })),
      );
    }
    const { days } = await firstDeliveries(own.db, range);
    expect(days.map(({ delivered, p95Seconds }) => [delivered, p95Seconds])).toEqual([
      [19, null],
      [20, 19],
    ]);
  });
});
