import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildZipTable, sphereMean } from '#scripts/buildZipTable.ts';
import { meets } from '#test/support/meets.ts';
import { greatCircleMiles } from './distance.ts';
import { loadZipTable, parseZipTable } from './zipTable.ts';

const table = loadZipTable();
const file = new URL('zipTable.txt', import.meta.url);

test('the file is what the script generates from its sources', () => {
  expect(buildZipTable() === readFileSync(file, 'utf8')).toBe(true);
});

test('the file is small and names its sources and their licenses', () => {
  const text = readFileSync(file, 'utf8');
  expect(text.length).toBeLessThan(700_000);
  const header = text.slice(0, text.indexOf('\n005 '));
  for (const words of ['GeoNames', 'CC BY 4.0', 'Census', 'public domain', 'npm run zip:build'])
    expect(header).toContain(words);
});

test.each([
  ['80202', 'Denver', 39.7392, -104.9903],
  ['10016', 'Manhattan', 40.745, -73.978],
  ['00501', 'Holtsville NY, a ZIP of one address', 40.8154, -73.0451],
  ['00901', 'San Juan PR', 18.4655, -66.1057],
  ['00802', 'St. Thomas VI', 18.3419, -64.9307],
  ['96799', 'American Samoa', -14.3064, -170.695],
  ['96910', 'Guam', 13.4757, 144.7489],
  ['96931', 'Guam, PO boxes', 13.4836, 144.7775],
  ['96950', 'Saipan MP', 15.1902, 145.7467],
  ['96813', 'Honolulu', 21.3069, -157.8583],
  ['96860', 'Pearl Harbor, given twice by the source', 21.3469, -157.9743],
  ['99501', 'Anchorage', 61.2181, -149.9003],
  ['99503', 'Anchorage', 61.19, -149.89],
  ['99701', 'Fairbanks', 64.8378, -147.7164],
  ['99505', 'Fort Richardson, at Anchorage', 61.255, -149.69],
  ['99506', 'Elmendorf, at Anchorage', 61.25, -149.8],
  ['99546', 'Adak, 3 degrees from the date line', 51.88, -176.65],
  ['80840', 'Air Force Academy CO', 38.99, -104.86],
  ['80841', 'Air Force Academy CO, PO boxes', 38.99, -104.86],
  ['83648', 'Mountain Home Air Force Base ID', 43.05, -115.87],
  ['86544', 'Red Valley AZ', 36.6, -109.05],
  ['95604', 'Auburn CA', 38.8966, -121.0769],
  ['66040', 'La Cygne KS', 38.3492, -94.7619],
  ['05440', 'Alburgh VT', 44.9753, -73.3015],
])('%s is at %s', (zip, _, latitude, longitude) => {
  const place = table.lookup(zip);
  expect(place?.placement).toBe('zip');
  expect(greatCircleMiles(place ?? { latitude: 0, longitude: 0 }, { latitude, longitude })).toBeLessThan(15);
});

test('an unassigned ZIP is placed at the center of its prefix', () => {
  meets('D.leads.59');
  const place = table.lookup('80200');
  expect(place).toMatchObject({ placement: 'prefix' });
  expect(
    greatCircleMiles(place ?? { latitude: 0, longitude: 0 }, { latitude: 39.7392, longitude: -104.9903 }),
  ).toBeLessThan(10);
});

test('Wake Island and the Marshall Islands do not move other prefixes', () => {
  const far = { latitude: 0, longitude: 0 };
  expect(
    greatCircleMiles(table.lookup('96899') ?? far, { latitude: 21.3069, longitude: -157.8583 }),
  ).toBeLessThan(10);
  expect(
    greatCircleMiles(table.lookup('96933') ?? far, { latitude: 13.4757, longitude: 144.7489 }),
  ).toBeLessThan(50);
});

test.each([
  '',
  '8020',
  '802021',
  '80202-1234',
  ' 80202',
  '8020a',
  '8020２',
  '-8020',
  '8e444',
  '00001',
  '99 99',
  '802.0',
  '\0\0\0\0\0',
  '💉💉x',
])('%j is not found', (text) => {
  expect(table.lookup(text)).toBeNull();
  expect(table.findCenter(text)).toBeNull();
});

test.each(['000', '80', '8 2', '-82', '８02'])('the prefix %j has no center', (text) => {
  expect(table.findCenter(text)).toBeNull();
});

test('each prefix is at the spherical mean of its ZIPs', () => {
  const entries = [...table.entries()];
  const places = Map.groupBy(
    entries.filter(([key]) => key.length === 5),
    ([zip]) => zip.slice(0, 3),
  );
  // The prefixes of Hawaii and the Pacific exclude far islands from their mean.
  const prefixes = entries.filter(([key]) => key.length === 3 && !['968', '969'].includes(key));
  expect(prefixes.length).toBeGreaterThan(900);
  const astray = prefixes.filter(([prefix, latitude, longitude]) => {
    const mean = sphereMean((places.get(prefix) ?? []).map(([, y, x]) => ({ latitude: y, longitude: x })));
    return !(greatCircleMiles({ latitude, longitude }, mean) < 0.02);
  });
  expect(astray).toEqual([]);
});

test('the mean of points on both sides of the date line is on it', () => {
  const mean = sphereMean([
    { latitude: 10, longitude: 179 },
    { latitude: 10, longitude: -179 },
  ]);
  expect(Math.abs(mean.longitude)).toBeCloseTo(180, 9);
  expect(mean.latitude).toBeCloseTo(10, 1);
});

test('entries and lookups agree, and every place is on the earth', () => {
  let zips = 0;
  for (const [key, latitude, longitude] of table.entries()) {
    if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) throw new Error(`${key} is off the earth`);
    if (key.length === 3) {
      const center = table.findCenter(key);
      if (center?.latitude !== latitude || center.longitude !== longitude)
        throw new Error(`${key} is elsewhere`);
      continue;
    }
    zips += 1;
    const place = table.lookup(key);
    if (place?.latitude !== latitude || place.longitude !== longitude) throw new Error(`${key} is elsewhere`);
  }
  expect(zips).toBe(table.count);
  expect(table.count).toBeGreaterThan(41_500);
});

test('the file is read once', () => {
  expect(loadZipTable()).toBe(table);
});

test('a line is a prefix with its center and ZIPs, and changes the edition', () => {
  const one = parseZipTable(Buffer.from('# words\n802 397488,-1050000 02,3,54\n'));
  expect(one).toMatchObject({ count: 1 });
  expect(one.lookup('80202')).toEqual({ latitude: 39.7491, longitude: -104.9946, placement: 'zip' });
  expect(one.lookup('80203')).toEqual({ latitude: 39.7488, longitude: -105, placement: 'prefix' });
  expect([...one.entries()].map(([key]) => key)).toEqual(['80202', '802']);
  expect(parseZipTable(Buffer.from('# words\n802 397488,-1050000 02,3,55\n')).sha256).not.toBe(one.sha256);
});
