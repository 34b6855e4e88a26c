import * as fc from 'fast-check';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Database } from '#server/db/connect.ts';
import { type ProviderInsert, providers } from '#server/db/schema/index.ts';
import { providerRow, insertProvider } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { testDb } from '#test/support/testDb.ts';
import type { GeoPoint } from './distance.ts';
import { findNearestProvider, findProviderDistance } from './matchQueries.ts';
import { loadZipTable } from './zipTable.ts';

const zipTable = loadZipTable();
const zips = [...zipTable.entries()].map(([key]) => key).filter((key) => key.length === 5);

/** The same distance computed in another way: the angle between two vectors from the center of the earth. */
function milesByVectors(from: GeoPoint, to: GeoPoint): number {
  const vector = ({ latitude, longitude }: GeoPoint): [number, number, number] => {
    const [phi, lambda] = [(latitude / 180) * Math.PI, (longitude / 180) * Math.PI];
    return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
  };
  const [[a, b, c], [x, y, z]] = [vector(from), vector(to)];
  return (
    3958.7613 * Math.atan2(Math.hypot(b * z - c * y, c * x - a * z, a * y - b * x), a * x + b * y + c * z)
  );
}

/** Boxes (south, north, west, east) where a flat or careless model fails, and where most providers are. */
const regions = [
  [25, 49, -124, -67], // the lower 48
  [51, 71, -180, -130], // Alaska
  [51, 53, 172, 180], // the Aleutians beyond the date line
  [19, 22, -160, -155], // Hawaii
  [17.7, 18.5, -67.3, -64.6], // Puerto Rico, Virgin Islands
  [13, 16, 144, 146], // Guam, Saipan
  [-15, -14, -171, -169], // American Samoa
  [-60, 60, 179.99, 180], // the date line from the west
  [-60, 60, -180, -179.99], // and from the east
  [89.9, 90, -180, 180],
  [-90, -89.9, -180, 180],
  [-90, 90, -180, 180],
] as const;

/** Coordinates with six decimals, as in the database; sometimes whole degrees, so that providers share a point. */
const pointArbitrary: fc.Arbitrary<GeoPoint> = fc
  .record({
    region: fc.constantFrom(...regions),
    y: fc.integer({ min: 0, max: 1_000_000 }),
    x: fc.integer({ min: 0, max: 1_000_000 }),
    whole: fc.boolean(),
  })
  .map(({ region: [south, north, west, east], y, x, whole }) => {
    const decimals = whole ? 0 : 6;
    const within = (low: number, high: number, share: number, limit: number) =>
      Math.max(-limit, Math.min(limit, Number((low + ((high - low) * share) / 1_000_000).toFixed(decimals))));
    return { latitude: within(south, north, y, 90), longitude: within(west, east, x, 180) };
  });

const zipArbitrary = fc.constantFrom(...zips);
const status = fc.constantFrom('t' as const, 't' as const, 't' as const, 'f' as const);

/**
 * A provider with coordinates, or without any and with a ZIP that is known, known by its prefix only (80200), or
 * unknown (00001).
 */
const providerArbitrary: fc.Arbitrary<Pick<ProviderInsert, 'latitude' | 'longitude' | 'zipCode' | 'status'>> =
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc
        .record({ point: pointArbitrary, status, zipCode: zipArbitrary })
        .map(({ point, ...rest }) => ({ ...point, ...rest })),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        latitude: fc.constant(null),
        longitude: fc.constant(null),
        status,
        zipCode: fc.oneof(
          { weight: 6, arbitrary: zipArbitrary },
          { weight: 1, arbitrary: fc.constantFrom('80200', '00001', 'none') },
        ),
      }),
    },
  );

const originArbitrary = fc.oneof(
  pointArbitrary,
  zipArbitrary.map((zip): GeoPoint => {
    const place = zipTable.lookup(zip);
    if (place === null) throw new Error(`${zip} is lost`);
    return { latitude: place.latitude, longitude: place.longitude };
  }),
);

interface Standing extends GeoPoint {
  id: number;
}

/** The expected place of each active provider, from its own columns, by id. */
async function standings(db: Database): Promise<Standing[]> {
  const rows = await db.select().from(providers).orderBy(providers.id);
  return rows.flatMap(({ id, status: state, latitude, longitude, zipCode }) => {
    const place =
      latitude !== null && longitude !== null ? { latitude, longitude } : zipTable.lookup(zipCode);
    return state === 't' && place !== null
      ? [{ id, latitude: place.latitude, longitude: place.longitude }]
      : [];
  });
}

/** Near the antipode, a chord hardly grows with the angle, so its last digits have less meaning. */
const toleranceMiles = (miles: number) => (miles > 11_000 ? 0.01 : 0.000_001);

/** What is wrong with a result; null if it is the nearest, at its true distance, with the lowest id of its point. */
async function fault(
  db: Database,
  origin: GeoPoint,
  sampleRows: readonly Standing[],
): Promise<string | null> {
  const found = await findNearestProvider(db, origin);
  if (found === null) return sampleRows.length === 0 ? null : 'nothing was found';
  const chosen = sampleRows.find(({ id }) => id === found.id);
  const context = JSON.stringify({ origin, found, chosen });
  if (chosen === undefined) return `not an active provider: ${context}`;
  const least = Math.min(...sampleRows.map((provider) => milesByVectors(origin, provider)));
  const off = (miles: number) => !(Math.abs(found.distanceMiles - miles) < toleranceMiles(least));
  if (off(milesByVectors(origin, chosen))) return `wrong distance: ${context}`;
  if (off(least)) return `${least} miles away there is a nearer one: ${context}`;
  const oldest = sampleRows.find(
    ({ latitude, longitude }) => latitude === chosen.latitude && longitude === chosen.longitude,
  );
  return oldest?.id === found.id ? null : `${oldest?.id} has the lower id: ${context}`;
}

test('the search finds the same nearest provider as a scan of all', async () => {
  meets('D.leads.52 D.leads.53 D.leads.58');
  await using database = await testDb({ max: 4 });
  const { db } = database;
  const worlds = fc.tuple(
    fc.array(providerArbitrary, { minLength: 0, maxLength: 300, size: 'max' }),
    fc.array(originArbitrary, { minLength: 30, maxLength: 60, size: 'max' }),
  );
  await fc.assert(
    fc.asyncProperty(worlds, async ([sampleRows, origins]) => {
      await db.execute(sql`truncate providers restart identity cascade`);
      if (sampleRows.length > 0)
        await db.insert(providers).values(sampleRows.map((provider) => providerRow(provider)));
      const standing = await standings(db);
      for (const origin of origins) expect(await fault(db, origin, standing)).toBeNull();
    }),
    { numRuns: 25, seed: 20_260_101, endOnFailure: true },
  );
});

test(
  'the index finds the same of 2,000 providers as a scan, for every sample ZIP',
  { timeout: 60_000 },
  async () => {
    meets('D.leads.58');
    await using database = await testDb({ max: 4 });
    const { db } = database;
    const sampleRows = fc.sample(providerArbitrary, { numRuns: 2000, seed: 7 });
    await db.insert(providers).values(sampleRows.map((provider) => providerRow(provider)));
    await db.execute(sql`analyze providers`);
    const standing = await standings(db);
    expect(standing.length).toBeGreaterThan(1000);
    for (const origin of fc.sample(originArbitrary, { numRuns: 500, seed: 8 }))
      expect(await fault(db, origin, standing)).toBeNull();
  },
);

test('the search uses the partial index and not the table', async () => {
  await using database = await testDb({ max: 1 });
  const { db } = database;
  const sampleRows = fc.sample(providerArbitrary, { numRuns: 3000, seed: 9 });
  await db.insert(providers).values(sampleRows.map((provider) => providerRow(provider)));
  await db.execute(sql`analyze providers`);
  // On the pool's only connection, so that this transaction's counters are the search's. A table's scans are the
  // sequential ones.
  const scans = async (name: string): Promise<number> => {
    const [row] = await db.execute<{ scans: number }>(
      sql`select pg_stat_get_xact_numscans(${name}::regclass)::int as scans`,
    );
    return row?.scans ?? Number.NaN;
  };
  await db.execute(sql`begin`);
  expect(await scans('providers_active_location_idx')).toBe(0);
  await findNearestProvider(db, { latitude: 39.7, longitude: -105 });
  expect(await scans('providers_active_location_idx')).toBeGreaterThan(0);
  expect(await scans('providers')).toBe(0);
  await db.execute(sql`rollback`);
});

test('the search is planned once and not for every lead', async () => {
  await using database = await testDb({ max: 1 });
  const { db } = database;
  await insertProvider(db, { latitude: 40, longitude: -105 });
  // Postgres plans five times with the values before it keeps a generic plan.
  for (let asked = 0; asked < 10; asked += 1)
    await findNearestProvider(db, { latitude: 40 + asked / 10, longitude: -105 });
  const plans = sql`select custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements
    where statement like '%union all%from providers%'`;
  expect([...(await db.execute(plans))]).toEqual([{ custom: 5, generic: 5 }]);
});

const placings = [
  ['coordinates', { latitude: 40, longitude: -105, zipCode: '10016' }, { latitude: 40, longitude: -105 }],
  ['zip', { latitude: null, longitude: null, zipCode: '80202' }, zipTable.lookup('80202')],
  ['zip', { latitude: null, longitude: null, zipCode: '60601-1234' }, zipTable.lookup('60601')],
  ['prefix', { latitude: null, longitude: null, zipCode: '33200' }, zipTable.lookup('33200')],
] as const;

test("a provider's place is its coordinates, then its ZIP, then its ZIP prefix", async () => {
  meets('D.leads.56');
  await using database = await testDb();
  const { db } = database;
  for (const [source, overrides, place] of placings) {
    const provider = await insertProvider(db, overrides);
    if (place === null) throw new Error('the place is unknown');
    const nearest = await findNearestProvider(db, place);
    expect({ ...overrides, source: provider.locationSource, nearest: nearest?.id }).toEqual({
      ...overrides,
      source,
      nearest: provider.id,
    });
    expect(nearest?.distanceMiles).toBeCloseTo(0, 6);
  }
});

test('a provider without a place is never found and has no distance', async () => {
  await using database = await testDb();
  const { db } = database;
  const provider = await insertProvider(db, { latitude: null, longitude: null, zipCode: '00001' });
  expect(provider.locationSource).toBeNull();
  expect(await findNearestProvider(db, { latitude: 40, longitude: -105 })).toBeNull();
  expect(await findProviderDistance(db, provider.id, { latitude: 40, longitude: -105 })).toBeNull();
  expect(await findProviderDistance(db, 999_999, { latitude: 40, longitude: -105 })).toBeNull();
});

test('across the date line, a provider a mile away beats one twenty miles away', async () => {
  await using database = await testDb();
  const { db } = database;
  const west = await insertProvider(db, { latitude: 52, longitude: 179.99 });
  await insertProvider(db, { latitude: 52.3, longitude: -179.99 });
  const nearest = await findNearestProvider(db, { latitude: 52, longitude: -179.99 });
  expect(nearest?.id).toBe(west.id);
  expect(nearest?.distanceMiles).toBeCloseTo(0.85, 1);
});

test('of two providers at one point, the lower id wins', async () => {
  meets('D.leads.57');
  await using database = await testDb();
  const { db } = database;
  const here = { latitude: 21.3, longitude: -157.85 };
  const older = await insertProvider(db, here);
  const younger = await insertProvider(db, here);
  await db.execute(sql`update providers set phone = null where id = ${older.id}`);
  expect((await findNearestProvider(db, here))?.id).toBe(older.id);
  await db.execute(sql`update providers set status = 'f' where id = ${older.id}`);
  expect((await findNearestProvider(db, here))?.id).toBe(younger.id);
});
