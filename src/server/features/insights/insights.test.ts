import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Connection } from '#server/db/connect.ts';
import {
  deliveryTries,
  type DeliveryTryRow,
  type LeadInsert,
  leadOutcomes,
  type LeadRow,
  leads,
  type ProviderRow,
} from '#server/db/schema/index.ts';
import { crmStatuses } from '#shared/adminLeads.ts';
import { deliveryChannels, deliveryOutcomes } from '#shared/deliveries.ts';
import {
  areasMax,
  daysInRange,
  type InsightsRange,
  type LeadsByDay,
  sitesMax,
  slowestClinicsMax,
} from '#shared/insights.ts';
import { leadOutcomes as outcomeNames } from '#shared/leadOutcomes.ts';
import { insertClinic, seededRandom } from '#test/support/factories.ts';
import { insertDeliveryTries, insertLeads } from '#test/support/leadRows.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { greatCircleMiles } from '../matching/distance.ts';
import { loadZipTable } from '../matching/zipTable.ts';
import { deliveryHealth } from './deliveryHealth.ts';
import { insightsCsv } from '../exports/insightsCsv.ts';
import { demand } from './demand.ts';
import { firstContacts } from './firstContacts.ts';
import { firstDeliveries } from './firstDeliveries.ts';
import { createInsightReads } from './insightReads.ts';
import { leadsByDay } from './leadsByDay.ts';

const dayMs = 86_400_000;
const firstDay = Date.parse('2026-02-20');
const daysOfPopulation = 20;
/** Nothing happens on it. */
const quietDay = 7;
const zips = ['80202', '80205', '10016', '00501', '33131', '00000', 'K1A 0B1', '802'];

interface Population {
  clinics: ProviderRow[];
  rows: LeadRow[];
  tries: DeliveryTryRow[];
  told: (typeof leadOutcomes.$inferSelect)[];
}

let database: TestDb;
/** Its zone is half a day from UTC: the figures must not care. */
let connection: Connection;
let population: Population;

beforeAll(async () => {
  database = await testDb();
  await database.sql.unsafe(
    `alter database "${new URL(database.url).pathname.slice(1)}" set timezone to 'Pacific/Auckland'`,
  );
  connection = connect(database.url, { applicationName: 'test-insights', max: 4 });
  population = await populate(connection);
});
afterAll(async () => {
  await connection.close();
  await database[Symbol.asyncDispose]();
});

/** Six hundred leads over twenty days, a fifth of them at a day's first or last millisecond, with up to four tries each. */
async function populate({ db }: Connection): Promise<Population> {
  const random = seededRandom(2026);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * random() * list.length)];
  const clinics: ProviderRow[] = [];
  for (let index = 0; index < sitesMax + 4; index += 1) clinics.push(await insertClinic(db));
  const ids = clinics.map(({ id }) => id);
  const momentOf = (): number => {
    const day = Math.floor(random() * daysOfPopulation);
    const moment = random() < 0.2 ? (random() < 0.5 ? 0 : dayMs - 1) : Math.floor(random() * dayMs);
    return firstDay + (day === quietDay ? 0 : day) * dayMs + moment;
  };
  await insertLeads(
    db,
    Array.from({ length: 600 }, (): Partial<LeadInsert> => {
      const isQuarantined = random() < 0.1;
      return {
        createdAt: new Date(momentOf()),
        siteProviderId: random() < 0.4 ? null : (pick(ids) ?? null),
        providerId: random() < 0.4 ? null : (pick(ids) ?? null),
        zipCode: zips[Math.floor(random() * zips.length)] ?? '',
        crmSyncStatus: pick([...crmStatuses, null]) ?? null,
        deletedAt: random() < 0.1 ? new Date() : null,
        quarantinedAt: isQuarantined ? new Date() : null,
        quarantineReason: isQuarantined ? 'honeypot' : null,
      };
    }),
  );
  const rows = await db.select().from(leads);
  await insertDeliveryTries(
    db,
    rows.flatMap(({ id, createdAt }) =>
      Array.from({ length: Math.floor(random() * 5) }, () => ({
        leadId: id,
        channel: pick(deliveryChannels) ?? 'crm',
        outcome: pick(deliveryOutcomes) ?? 'failed',
        at: new Date(createdAt.getTime() + Math.floor(random() ** 4 * 3 * dayMs)),
      })),
    ),
  );
  await db.insert(leadOutcomes).values(
    rows.flatMap(({ id, createdAt }) =>
      Array.from({ length: Math.floor(random() * 4) }, () => ({
        leadId: id,
        providerId: pick(ids) ?? 0,
        outcome: pick(outcomeNames) ?? 'booked',
        by: 'Clinic',
        at: new Date(createdAt.getTime() + Math.floor(random() ** 4 * 9 * dayMs)),
      })),
    ),
  );
  return {
    clinics,
    rows,
    tries: await db.select().from(deliveryTries),
    told: await db.select().from(leadOutcomes),
  };
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

function daysIn(range: InsightsRange): string[] {
  return Array.from({ length: daysInRange(range) }, (_, index) =>
    dayOf(new Date(Date.parse(range.from) + index * dayMs)),
  );
}

function isIn({ from, to }: InsightsRange, at: Date): boolean {
  return dayOf(at) >= from && dayOf(at) <= to;
}

/** The leads that count, of a day or of a range. */
function counted(range: InsightsRange): LeadRow[] {
  return population.rows.filter(
    ({ createdAt, deletedAt, quarantinedAt }) =>
      deletedAt === null && quarantinedAt === null && isIn(range, createdAt),
  );
}

function siteModel(range: InsightsRange): { sites: LeadsByDay['sites']; placeOf: (row: LeadRow) => string } {
  const own = counted(range).filter(({ siteProviderId }) => siteProviderId !== null);
  const busyness = Map.groupBy(own, ({ siteProviderId }) => siteProviderId);
  const ranked = [...busyness.entries()].toSorted(
    ([a, ofA], [b, ofB]) => ofB.length - ofA.length || Number(a) - Number(b),
  );
  const busiest = ranked.slice(0, sitesMax).map(([id]) => id);
  const sites = [
    ...(counted(range).length > own.length ? [{ key: 'main', name: null }] : []),
    ...busiest.map((id) => ({
      key: String(id),
      name: population.clinics.find((clinic) => clinic.id === id)?.name ?? '',
    })),
    ...(ranked.length > sitesMax ? [{ key: 'others', name: null }] : []),
  ];
  return {
    sites,
    placeOf: ({ siteProviderId: id }) =>
      id === null ? 'main' : busiest.includes(id) ? String(id) : 'others',
  };
}

function leadsModel(range: InsightsRange): LeadsByDay {
  const { sites, placeOf } = siteModel(range);
  return {
    sites,
    days: daysIn(range).map((day) => {
      const rows = counted({ from: day, to: day });
      const withStatus = (status: string): number =>
        rows.filter(({ crmSyncStatus }) => (crmSyncStatus ?? 'pending') === status).length;
      return {
        day,
        bySite: sites.map(({ key }) => rows.filter((row) => placeOf(row) === key).length),
        total: rows.length,
        matched: rows.filter(({ providerId }) => providerId !== null).length,
        pending: withStatus('pending'),
        success: withStatus('success'),
        failed: withStatus('failed'),
      };
    }),
  };
}

/** Milliseconds from each lead's coming to its first delivery, ascending; those without one are left out. */
function waits(day: string): number[] {
  return counted({ from: day, to: day })
    .flatMap(({ id, createdAt }) => {
      const delivered = population.tries
        .filter(({ leadId, outcome }) => leadId === id && outcome === 'delivered')
        .map(({ at }) => at.getTime() - createdAt.getTime());
      return delivered.length === 0 ? [] : [Math.min(...delivered)];
    })
    .toSorted((a, b) => a - b);
}

/** Median and 95th percentile of ascending milliseconds, in seconds. */
function waitModel(sorted: readonly number[]) {
  const at = (index: number): number => sorted[index] ?? 0;
  const { length } = sorted;
  const median = (at(Math.floor((length - 1) / 2)) + at(Math.floor(length / 2))) / 2;
  return {
    medianSeconds: length === 0 ? null : median / 1000,
    p95Seconds: length === 0 ? null : at(Math.ceil(length * 0.95) - 1) / 1000,
  };
}

/** Of each lead of a range that was reached or booked: by which clinic first, after how many milliseconds, ascending. */
function contactsOf(range: InsightsRange): { providerId: number; ms: number }[] {
  return counted(range)
    .flatMap(({ id, createdAt }) => {
      const [first] = population.told
        .filter(({ leadId, outcome }) => leadId === id && ['reached', 'booked'].includes(outcome))
        .toSorted((a, b) => a.at.getTime() - b.at.getTime());
      return first === undefined
        ? []
        : [{ providerId: first.providerId, ms: first.at.getTime() - createdAt.getTime() }];
    })
    .toSorted((a, b) => a.ms - b.ms);
}

function slowestModel(range: InsightsRange) {
  const byClinic = Map.groupBy(contactsOf(range), ({ providerId }) => providerId);
  return [...byClinic]
    .map(([id, ofClinic]) => ({
      id,
      name: population.clinics.find((clinic) => clinic.id === id)?.name,
      contacted: ofClinic.length,
      ...waitModel(ofClinic.map(({ ms }) => ms)),
    }))
    .toSorted((a, b) => (b.medianSeconds ?? 0) - (a.medianSeconds ?? 0) || a.id - b.id)
    .slice(0, slowestClinicsMax);
}

function outcomes(tries: readonly DeliveryTryRow[]): { delivered: number; failed: number } {
  const of = (wanted: string): number => tries.filter(({ outcome }) => outcome === wanted).length;
  return { delivered: of('delivered'), failed: of('failed') };
}

const ranges = fc.sample(
  fc
    .tuple(fc.integer({ min: -3, max: daysOfPopulation }), fc.integer({ min: 0, max: 12 }))
    .map(([start, length]) => ({
      from: dayOf(new Date(firstDay + start * dayMs)),
      to: dayOf(new Date(firstDay + (start + length) * dayMs)),
    })),
  { numRuns: 60, seed: 7 },
);

describe('each figure is what a plain model makes of the same leads and tries, whatever days are asked', () => {
  test('leads by day and site, the busiest first', async () => {
    const seen = new Set<string>();
    for (const range of ranges) {
      const figure = await leadsByDay(connection.db, range);
      expect({ range, figure }).toEqual({ range, figure: leadsModel(range) });
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
          const sorted = waits(day);
          return { day, delivered: sorted.length, ...waitModel(sorted) };
        }),
      });
    }
  });

  test('the speed of the first contact, by day and of the slowest clinics', async () => {
    for (const range of ranges) {
      expect({ range, ...(await firstContacts(connection.db, range)) }).toEqual({
        range,
        days: daysIn(range).map((day) => {
          const sorted = contactsOf({ from: day, to: day }).map(({ ms }) => ms);
          return { day, contacted: sorted.length, ...waitModel(sorted) };
        }),
        slowest: slowestModel(range),
      });
    }
  });

  test('tries by day and by channel, of deleted and quarantined leads too', async () => {
    for (const range of ranges) {
      const tries = population.tries.filter(({ at }) => isIn(range, at));
      expect({ range, ...(await deliveryHealth(connection.db, range)) }).toEqual({
        range,
        days: daysIn(range).map((day) => ({ day, ...outcomes(tries.filter(({ at }) => dayOf(at) === day)) })),
        channels: deliveryChannels.map((channel) => ({
          channel,
          ...outcomes(tries.filter((tried) => tried.channel === channel)),
        })),
      });
    }
  });

  test('demand: areas of leads without a clinic, most first', async () => {
    const services = { db: connection.db, zipTable: loadZipTable() };
    for (const range of ranges) {
      const without = counted(range).filter(({ providerId }) => providerId === null);
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

describe('demand', () => {
  test('shows each area’s centre and the nearest active clinic, paused or not; an unknown area has neither', async () => {
    await using own = await testDb();
    const services = { db: own.db, zipTable: loadZipTable() };
    const range = { from: '2026-06-01', to: '2026-06-01' };
    await insertLeads(own.db, [
      { zipCode: '80202' },
      { zipCode: '80299' },
      { zipCode: '10016' },
      { zipCode: '00000' },
    ]);
    const denver = services.zipTable.centreOf('802');
    const noClinic = await demand(services, range);
    expect(noClinic).toEqual({
      total: 4,
      areaCount: 3,
      areas: [
        { zip3: '802', leads: 2, point: denver, nearestClinic: null },
        { zip3: '000', leads: 1, point: null, nearestClinic: null },
        { zip3: '100', leads: 1, point: services.zipTable.centreOf('100'), nearestClinic: null },
      ],
      unplaced: 0,
    });
    await insertClinic(own.db, { zipCode: '80202', status: 'f' });
    await insertClinic(own.db, { zipCode: '00001', latitude: null, longitude: null });
    await insertClinic(own.db, { zipCode: '60601', name: 'Far Quay' });
    await insertClinic(own.db, {
      name: 'Near Quay',
      paused: true,
      latitude: 40.5,
      longitude: -105,
      matchRadiusMiles: 1,
    });
    const { areas } = await demand(services, range);
    const miles = denver === null ? 0 : greatCircleMiles(denver, { latitude: 40.5, longitude: -105 });
    expect(areas[0]?.nearestClinic).toEqual({ name: 'Near Quay', miles: expect.closeTo(miles, 6) });
    expect(areas.map(({ zip3, nearestClinic }) => [zip3, nearestClinic?.name])).toEqual([
      ['802', 'Near Quay'],
      ['000', undefined],
      ['100', 'Far Quay'],
    ]);
  });

  test('lists no more areas than are shown, those with the most leads, and counts the others too; its file has every one', async () => {
    await using own = await testDb();
    const zipTable = loadZipTable();
    const prefixes = [...zipTable.entries()].flatMap(([key]) => (key.length === 3 ? [key] : []));
    const chosen = prefixes.slice(0, areasMax + 5);
    await insertLeads(
      own.db,
      [...chosen, ...chosen.slice(-2)].map((prefix) => ({ zipCode: `${prefix}01` })),
    );
    const services = { db: own.db, zipTable, insightReads: createInsightReads() };
    const range = { from: '2026-06-01', to: '2026-06-01' };
    const { areas, total, areaCount } = await demand(services, range);
    expect([total, areaCount]).toEqual([areasMax + 7, areasMax + 5]);
    let file = '';
    for await (const chunk of insightsCsv(services, { figure: 'demand', ...range })) file += chunk;
    // Its head, and what follows the last line's end.
    expect(file.split('\r\n')).toHaveLength(areasMax + 5 + 2);
    expect(areas.map(({ zip3 }) => zip3)).toEqual([...chosen.slice(-2), ...chosen.slice(0, areasMax - 2)]);
  });
});
