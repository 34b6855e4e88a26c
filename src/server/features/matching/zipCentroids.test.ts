import { expect, test } from 'vitest';
import { providers } from '#server/db/schema/index.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { relocateProviders } from '../providers/writeProviders.ts';
import { loadZipCentroids } from './zipTable.ts';

type Entry = [zip: string, latitude: number, longitude: number];

const denver: Entry[] = [
  ['80202', 39.75, -105],
  ['802', 39.7, -104.9],
];

function load({ db }: TestDb, sha256: string, entries: readonly Entry[]): Promise<void> {
  return loadZipCentroids(db, { zipTable: { sha256, entries: () => entries }, onChange: relocateProviders });
}

test('a new edition moves the providers that are located by ZIP, and no other', async () => {
  await using database = await testDb();
  const places = async (): Promise<unknown> =>
    database.sql`select name, round(latitude(location)::numeric, 3)::float8 as latitude, location_source as source from providers order by name`;
  await load(database, 'first', denver);
  const provider = { email: 'desk@clinic.example' };
  await database.db.insert(providers).values([
    { ...provider, name: 'own', zipCode: '80202', latitude: 40.1, longitude: -105 },
    { ...provider, name: 'prefix', zipCode: '80299' },
    { ...provider, name: 'unplaced', zipCode: '99999' },
    { ...provider, name: 'zip', zipCode: '80202' },
  ]);
  expect(await places()).toEqual([
    { name: 'own', latitude: 40.1, source: 'coordinates' },
    { name: 'prefix', latitude: 39.7, source: 'prefix' },
    { name: 'unplaced', latitude: null, source: null },
    { name: 'zip', latitude: 39.75, source: 'zip' },
  ]);
  await load(database, 'second', [
    ['80202', 39.76, -105],
    ['80299', 39.71, -105],
    ['99999', 61, -150],
  ]);
  expect(await places()).toEqual([
    { name: 'own', latitude: 40.1, source: 'coordinates' },
    { name: 'prefix', latitude: 39.71, source: 'zip' },
    { name: 'unplaced', latitude: 61, source: 'zip' },
    { name: 'zip', latitude: 39.76, source: 'zip' },
  ]);
});

test.each([
  ['an active provider moves', {}, 1],
  ['only a paused provider moves', { paused: true }, 0],
  ['only an inactive provider moves', { status: 'f' as const }, 0],
  ['no provider moves', { zipCode: '80202' }, 0],
])('a new edition requests a rematch if matchable providers move: %s', async (_, values, requests) => {
  await using database = await testDb();
  await load(database, 'first', denver);
  const provider = { name: 'one', email: 'desk@clinic.example', zipCode: '99999', ...values };
  await database.db.insert(providers).values(provider);
  await database.sql`delete from rematch_requests`;
  await load(database, 'second', [...denver, ['99999', 61, -150]]);
  expect(await database.sql`select 1 from rematch_requests`).toHaveLength(requests);
});

test('an edition that is loaded is not read again, by any number of processes', async () => {
  await using database = await testDb();
  let reads = 0;
  const zipTable = {
    sha256: 'new',
    entries: () => {
      reads += 1;
      return denver;
    },
  };
  const onChange = (): Promise<void> => Promise.resolve();
  await Promise.all(Array.from({ length: 4 }, () => loadZipCentroids(database.db, { zipTable, onChange })));
  await loadZipCentroids(database.db, { zipTable, onChange });
  expect(reads).toBe(1);
  const [counts] =
    await database.sql`select (select count(*)::int from zip_centroids) as zips, (select count(*)::int from zip_edition) as editions`;
  expect(counts).toEqual({ zips: 2, editions: 1 });
});

test('an edition that can not be loaded leaves the old one in place', async () => {
  await using database = await testDb();
  await load(database, 'good', denver);
  await expect(load(database, 'bad', [...denver, ...denver])).rejects.toMatchObject({
    cause: { code: '23505' },
  });
  const [edition] =
    await database.sql`select sha256, (select count(*)::int from zip_centroids) as zips from zip_edition`;
  expect(edition).toEqual({ sha256: 'good', zips: 2 });
});
