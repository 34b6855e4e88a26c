import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Connection } from '#server/db/connect.ts';
import { deliveryOutcomes, leadChannels } from '#shared/admin/deliveries.ts';
import { deliveryAttempts } from '#server/db/schema/index.ts';
import {
  contactsOf,
  counted,
  dayOf,
  daysIn,
  isIn,
  leadsModel,
  outcomesOf,
  slowestModel,
  waitModel,
  waitsOf,
} from '#test/support/insightsModel.ts';
import {
  daysOfPopulation,
  firstDayOfPopulation,
  type InsightsPopulation,
  insertInsightsPopulation,
} from '#test/support/insightsPopulation.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { insertWebhook } from '#test/support/webhookRows.ts';
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
      from: dayOf(new Date(firstDayOfPopulation + start * dayMs)),
      to: dayOf(new Date(firstDayOfPopulation + (start + length) * dayMs)),
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
      const { days } = await firstDeliveries(connection.db, range);
      expect({ range, days }).toEqual({
        range,
        days: daysIn(range).map((day) => {
          const sorted = waitsOf(population, day);
          return { day, delivered: sorted.length, ...waitModel(sorted) };
        }),
      });
    }
  });

  test('the time to the first contact, by day and of the slowest providers', async () => {
    for (const range of ranges) {
      expect({ range, ...(await firstContacts(connection.db, range)) }).toEqual({
        range,
        days: daysIn(range).map((day) => {
          const sorted = contactsOf(population, { from: day, to: day }).map(({ ms }) => ms);
          return { day, contacted: sorted.length, ...waitModel(sorted) };
        }),
        slowest: slowestModel(population, range),
      });
    }
  });

  test('attempts by day and channel, also of hidden leads, without webhooks', async () => {
    for (const range of ranges) {
      const attempts = population.attempts.filter(({ at }) => isIn(range, at));
      expect({ range, ...(await deliveryHealth(connection.db, range)) }).toEqual({
        range,
        days: daysIn(range).map((day) => ({
          day,
          ...outcomesOf(attempts.filter(({ at }) => dayOf(at) === day)),
        })),
        channels: leadChannels.map((channel) => ({
          channel,
          ...outcomesOf(attempts.filter((attempt) => attempt.channel === channel)),
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
