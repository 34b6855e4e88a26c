import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  crmStatuses,
  type LeadFilter,
  leadListInput,
  type LeadSort,
  leadSorts,
} from '#shared/admin/adminLeads.ts';
import { leadOutcomes } from '#shared/leads/leadOutcomes.ts';
import { type LeadInsert, type LeadRow, leads } from '#server/db/schema/index.ts';
import { insertProvider } from '#test/support/factories.ts';
import { seededRandom } from '#scripts/sampleData/seededRandom.ts';
import { insertLeads } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { countingLimits, countLeads, listLeads } from './leadList.ts';

type ListInput = z.output<typeof leadListInput>;

const firstNames = ['Ada', 'ANDRÉ', 'Bo', "D'Arcy", 'Li', 'Ána'];
const lastNames = ['Ashgrove', 'ashgrove', 'Bright_water', 'Copper%gate', 'Dun\\mere', 'Éluard', 'Fox'];
const phones = ['(303) 555-0142', '303.555.0143', '+44 20 7946 0958', '1-212-555-0100'];
const zips = ['80202', '80203', '10016', '00501', 'K1A 0B1'];

interface Population {
  rows: LeadRow[];
  providerIds: number[];
}

let database: TestDb;
let population: Population;

beforeAll(async () => {
  database = await testDb();
  population = await populate(database);
});
afterAll(() => database[Symbol.asyncDispose]());

/** Two hundred similar leads, so that each search finds some of them. */
async function populate({ db }: TestDb): Promise<Population> {
  const random = seededRandom(4711);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const providerIds = [(await insertProvider(db)).id, (await insertProvider(db)).id];
  const [first] = await insertLeads(db, [{}]);
  const overrides = Array.from({ length: 200 }, (_, index): Partial<LeadInsert> => {
    const isQuarantined = random() < 0.2;
    return {
      firstName: pick(firstNames) ?? '',
      lastName: pick(lastNames) ?? '',
      email: `Person.${index % 17}+x@Mail${index % 3}.example`,
      phone: pick(phones) ?? '',
      zipCode: pick(zips) ?? '',
      providerId: pick([...providerIds, null]) ?? null,
      crmSyncStatus: pick([...crmStatuses, null]) ?? null,
      duplicateOf: random() < 0.3 ? (first?.id ?? null) : null,
      createdAt: new Date(Date.parse('2026-06-01T00:00:00Z') + Math.floor(random() * 12) * 21_600_000),
      deletedAt: random() < 0.1 ? new Date() : null,
      quarantinedAt: isQuarantined ? new Date() : null,
      quarantineReason: isQuarantined ? 'honeypot' : null,
      outcome: random() < 0.5 ? (pick(leadOutcomes) ?? null) : null,
    };
  });
  await insertLeads(db, overrides);
  return { rows: await db.select().from(leads), providerIds };
}

/** The searchable texts of a lead, each between spaces. */
function toText(row: LeadRow): string {
  const words = [row.firstName, row.lastName, row.email, row.phoneE164.slice(1), row.zipCode, row.id];
  return folded(` ${words.join(' ')} `);
}

/** What a search compares. */
function folded(text: string): string {
  const plain = text.replaceAll(/['’`]/g, '').normalize('NFKD');
  return plain.replaceAll(/[\u0300-\u036f]/g, '').toLowerCase();
}

function hasWord(row: LeadRow, word: string): boolean {
  if (/^#\d+$/.test(word)) return row.id === Number(word.slice(1));
  const isPhone = /\d/.test(word) && !/[^\d()+./-]/.test(word);
  const looked = folded(isPhone ? word.replaceAll(/\D/g, '') : word);
  return toText(row).includes(looked.length < 3 ? ` ${looked}` : looked);
}

function isListed(row: LeadRow, filter: LeadFilter): boolean {
  const day = row.createdAt.toISOString().slice(0, 10);
  const words = (filter.search ?? '').split(/[ ,]+/).filter((word) => word !== '');
  return (
    (row.deletedAt !== null) === (filter.deleted === true) &&
    (filter.providerId === undefined || row.providerId === filter.providerId) &&
    (filter.match === undefined || (row.providerId !== null) === (filter.match === 'matched')) &&
    (filter.quarantined === undefined || (row.quarantinedAt !== null) === filter.quarantined) &&
    (filter.repeat === undefined || (row.duplicateOf !== null) === filter.repeat) &&
    (filter.status === undefined || (row.crmSyncStatus ?? 'pending') === filter.status) &&
    (filter.outcome === undefined || (row.outcome ?? 'none') === filter.outcome) &&
    (filter.from === undefined || day >= filter.from) &&
    (filter.to === undefined || day <= filter.to) &&
    words.every((word) => hasWord(row, word))
  );
}

/** Bytes of UTF-8, as the database compares. */
function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

type Compare = (a: LeadRow, b: LeadRow) => number;
const byTime: Compare = (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id;
const byLastName: Compare = (a, b) =>
  compareText(a.lastName.toLowerCase(), b.lastName.toLowerCase()) || a.id - b.id;
const byZip: Compare = (a, b) => compareText(a.zipCode, b.zipCode) || a.id - b.id;

const compareBy: Record<LeadSort, Compare> = {
  '-created_at': (a, b) => byTime(b, a),
  created_at: byTime,
  '-last_name': (a, b) => byLastName(b, a),
  last_name: byLastName,
  '-zip_code': (a, b) => byZip(b, a),
  zip_code: byZip,
};

function expected({ page, limit, sort, ...filter }: ListInput): { ids: number[]; total: number } {
  const all = population.rows.filter((row) => isListed(row, filter));
  const ids = all.toSorted(compareBy[sort]).map(({ id }) => id);
  return { ids: ids.slice((page - 1) * limit, page * limit), total: all.length };
}

const words = [
  ...'ada ADA andré bo li D’ARCY Eluard,ada ASH grove é fox % _ r%g t_w'.split(' '),
  ..."d'arcy ' \\ n\\m (303) 555-0142 3035550142 +44 2125550100 802 80202 00501 k1a 0b1".split(' '),
  ...'person.1 MAIL2 x@ @ #1 #42 #999 1 17 nobody'.split(' '),
];

const day = fc.constantFrom('2026-05-31', '2026-06-01', '2026-06-02', '2026-06-03', '2026-06-09');
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 1 });

function inputs(providerIds: number[]): fc.Arbitrary<ListInput> {
  return fc
    .record({
      search: maybe(fc.array(fc.constantFrom(...words), { maxLength: 2 }).map((list) => list.join(' '))),
      providerId: fc.option(fc.constantFrom(...providerIds, 999_999), { nil: undefined, freq: 3 }),
      match: fc.option(fc.constantFrom('matched' as const, 'unmatched' as const), {
        nil: undefined,
        freq: 3,
      }),
      quarantined: fc.option(fc.boolean(), { nil: undefined, freq: 3 }),
      repeat: fc.option(fc.boolean(), { nil: undefined, freq: 3 }),
      deleted: fc.constantFrom(...Array.from({ length: 8 }, () => undefined), false, true),
      status: fc.option(fc.constantFrom(...crmStatuses), { nil: undefined, freq: 3 }),
      outcome: fc.constantFrom(
        ...Array.from({ length: 60 }, () => undefined),
        ...leadOutcomes,
        'none' as const,
      ),
      from: fc.option(day, { nil: undefined, freq: 3 }),
      to: fc.option(day, { nil: undefined, freq: 3 }),
      page: fc.constantFrom(1, 1, 2, 3),
      limit: fc.constantFrom(1, 7, 40, 40, 100),
      sort: fc.constantFrom(...leadSorts),
    })
    .map((input) => leadListInput.parse(input));
}

/** The last page gives the total without counting. */
function isLastPage({ page, limit }: ListInput, { ids, total }: ReturnType<typeof expected>): boolean {
  return ids.length > 0 && (page - 1) * limit + ids.length === total;
}

/** No time limit decides what is counted. Null: a search doesn't ask the index of the order first. */
function patiently(few: number, frequentMs: number | null = null) {
  const tries = { frequentMs, few, fewMs: 60_000, orderedMs: 60_000 };
  return { ...countingLimits, filters: { ...tries, frequentMs: null }, search: tries, countMs: 60_000 };
}
const patientLimits = patiently(countingLimits.filters.few);

/** The least total from which staff can turn to the next page if there is one. */
function leastTotal({ page, limit }: { page: number; limit: number }, found: number): number {
  const next = page * limit + 1;
  return found >= next ? next : 0;
}

describe('the list of leads', () => {
  test('equals a plain model for any combination of search, filters, sort and page', async () => {
    meets('P3.lead.08 D.admin.47 D.admin.53');
    const cases = fc.sample(inputs(population.providerIds), { numRuns: 250, seed: 12 });
    let found = 0;
    for (const input of cases) {
      const { leads: listed, total, totalIsEstimate } = await listLeads(database.db, input, patientLimits);
      const ids = listed.map(({ id }) => id);
      expect({ input, ids, total, totalIsEstimate }).toEqual({
        input,
        ...expected(input),
        totalIsEstimate: false,
      });
      found += ids.length;
    }
    expect(found).toBeGreaterThan(500);
  });

  test('equals the model beyond the count limit, with a total marked as the least', async () => {
    meets('D.conformity.04 D.conformity.06 D.conformity.08');
    const cases = fc.sample(inputs(population.providerIds), { numRuns: 250, seed: 13 });
    let estimates = 0;
    for (const [index, input] of cases.entries()) {
      const limits = { ...patiently(5, index % 2 === 0 ? null : 60_000), counted: 20 };
      const { leads: listed, total, totalIsEstimate } = await listLeads(database.db, input, limits);
      const model = expected(input);
      expect({ input, ids: listed.map(({ id }) => id), totalIsEstimate }).toEqual({
        input,
        ids: model.ids,
        totalIsEstimate: model.total > 20 && !isLastPage(input, model),
      });
      expect(totalIsEstimate ? Number(total) >= 20 : total === model.total).toBe(true);
      expect(total).toBeGreaterThanOrEqual(leastTotal(input, model.total));
      estimates += Number(totalIsEstimate);
    }
    expect(estimates).toBeGreaterThan(10);
  });

  test('equals the model for rare hits among many rows, with an exact total', async () => {
    const common = fc.constantFrom('a', 'o', 'i', 's', '1', '7', '9', '@', 'person.1');
    const cases = fc.sample(
      fc.tuple(inputs(population.providerIds), common).map(([input, search]) => ({ ...input, search })),
      { numRuns: 250, seed: 16 },
    );
    const getTotal = (filter: LeadFilter): number =>
      population.rows.filter((row) => isListed(row, filter)).length;
    let rare = 0;
    for (const input of cases) {
      const limits = { ...patiently(5), counted: 100 };
      const { leads: listed, total, totalIsEstimate } = await listLeads(database.db, input, limits);
      const model = expected(input);
      const ids = listed.map(({ id }) => id);
      const exact = totalIsEstimate ? null : total;
      const isCounted = model.total <= 100 || isLastPage(input, model);
      expect({ input, ids, exact }).toEqual({
        input,
        ids: model.ids,
        exact: isCounted ? model.total : null,
      });
      const { search, deleted } = input;
      const manyOfBoth = getTotal({ search, deleted }) > 15 && getTotal({ ...input, search: '' }) > 5;
      if (manyOfBoth && model.total > 0 && model.total <= 5) rare += 1;
    }
    expect(rare).toBeGreaterThan(0);
  });

  test('counts up to 100,000 hits of a search exactly, unless that takes too long', async () => {
    meets('D.conformity.05 D.conformity.06');
    expect(countingLimits.counted).toBe(100_000);
    await using own = await testDb();
    await insertLeads(own.db, [{ lastName: 'Frequent' }]);
    await own.sql`
      insert into leads (first_name, last_name, email, phone, zip_code, email_norm, phone_e164, match_method, match_reason)
      select first_name, last_name, email, phone, zip_code, email_norm, phone_e164, match_method, match_reason
      from leads, generate_series(1, 19999)`;
    await own.sql`analyze leads`;
    const input = leadListInput.parse({ search: 'frequent' });
    const counted = await listLeads(own.db, input);
    expect([counted.leads.length, counted.total, counted.totalIsEstimate]).toEqual([40, 20_000, false]);
    const hurried = await listLeads(own.db, input, { ...countingLimits, countMs: 1 });
    expect([hurried.leads.length, hurried.totalIsEstimate]).toEqual([40, true]);
    expect(hurried.leads).toEqual(counted.leads);
    // What took too long is a minimum of nothing: the page itself shows more.
    expect(await countLeads(own.db, { search: 'frequent' }, { ...countingLimits, countMs: 1 })).toEqual({
      total: 0,
      totalIsEstimate: true,
    });
    expect(await countLeads(own.db, { search: 'frequent' })).toEqual({
      total: 20_000,
      totalIsEstimate: false,
    });
  });

  test('equals the model when the rows are not counted', async () => {
    meets('D.conformity.08');
    const cases = fc.sample(inputs(population.providerIds), { numRuns: 100, seed: 15 });
    for (const input of cases) {
      const limits = { ...patiently(0), counted: 0 };
      const { leads: listed, total, totalIsEstimate } = await listLeads(database.db, input, limits);
      const ids = listed.map(({ id }) => id);
      const model = expected(input);
      const isEstimate = model.total > 0 && !isLastPage(input, model);
      expect({ input, ids, totalIsEstimate }).toEqual({ input, ids: model.ids, totalIsEstimate: isEstimate });
      // Staff can turn to the next page if there is one.
      expect(total).toBeGreaterThanOrEqual(leastTotal(input, model.total));
    }
  });

  test('has pages that contain each lead once, also with equal sort keys', async () => {
    for (const sort of leadSorts) {
      const ids: number[] = [];
      for (let page = 1; page <= 30; page += 1) {
        const { leads: listed } = await listLeads(database.db, leadListInput.parse({ page, limit: 7, sort }));
        ids.push(...listed.map(({ id }) => id));
      }
      const kept = population.rows.filter(({ deletedAt }) => deletedAt === null).map(({ id }) => id);
      expect(ids.toSorted((a, b) => a - b)).toEqual(kept.toSorted((a, b) => a - b));
    }
  });

  test('continues after a cursor as with the next page, in the order of time', async () => {
    const cases = fc.sample(inputs(population.providerIds), { numRuns: 300, seed: 17 });
    let pages = 0;
    for (const [index, one] of cases.entries()) {
      const sort = index % 2 === 0 ? 'created_at' : '-created_at';
      const limits = index % 3 === 0 ? patiently(5) : patientLimits;
      const input = { ...one, page: 1, limit: 3, sort } as const;
      const first = await listLeads(database.db, input, limits);
      const second = await listLeads(database.db, { ...input, page: 2 }, limits);
      expect(first.nextCursor === null).toBe(second.leads.length === 0);
      if (first.nextCursor === null) continue;
      const after = await listLeads(database.db, { ...input, cursor: first.nextCursor }, limits);
      expect(after).toEqual({ ...second, total: null, totalIsEstimate: false });
      pages += 1;
    }
    expect(pages).toBeGreaterThan(50);
  });

  test('never reads the whole table for any search, filter or sort', async () => {
    await using own = await testDb({ max: 1 });
    await insertLeads(
      own.db,
      Array.from({ length: 300 }, () => ({})),
    );
    await own.sql`vacuum analyze leads`;
    const scans = async (): Promise<unknown> => {
      await own.sql`select pg_stat_force_next_flush()`;
      return [...(await own.sql`select seq_scan::int as n from pg_stat_user_tables where relname = 'leads'`)];
    };
    const before = await scans();
    for (const input of fc.sample(inputs([1, 2]), { numRuns: 60, seed: 14 })) {
      await listLeads(own.db, input);
      await listLeads(own.db, input, { ...patiently(5), counted: 20 });
      const since = new Date(0).toISOString();
      await listLeads(own.db, { ...input, page: 1, updated_since: since });
    }
    expect(await scans()).toEqual(before);
  });
});
