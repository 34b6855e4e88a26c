import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildZipTowns } from '#scripts/buildZipTable.ts';
import { findStateName, findStateOfZip } from '#shared/providers/states.ts';
import { loadZipTable } from '../features/matching/zipTable.ts';
import { findZipTown } from './zipTowns.ts';

test('the file of towns is what the script generates from its source', () => {
  const file = readFileSync(new URL('zipTowns.txt', import.meta.url), 'utf8');
  expect(buildZipTowns() === file).toBe(true);
  expect(file.length).toBeLessThan(500_000);
  for (const words of ['GeoNames', 'CC BY 4.0', 'npm run zip:build']) expect(file).toContain(words);
});

test.each([
  ['85004', { city: 'Phoenix', state: 'AZ' }],
  ['80202-1234', { city: 'Denver', state: 'CO' }],
  ['00501', { city: 'Holtsville', state: 'NY' }],
  ['99553', { city: 'Akutan', state: 'AK' }],
  // Another town of the prefix that ends with digits of this one.
  ['85087', { city: 'New River', state: 'AZ' }],
  ['09012', null],
  ['00000', null],
  ['8500', null],
  ['K1A', null],
  ['# To', null],
])('the town of %s is %j', (zip, town) => {
  expect(findZipTown(zip)).toEqual(town);
});

test('the state of each ZIP code of the table is the one of its first digits', () => {
  const zips = [...loadZipTable().entries()].map(([key]) => key).filter((key) => key.length === 5);
  const towns = zips.flatMap((zip) => {
    const town = findZipTown(zip);
    // The Marshall Islands have ZIP codes and are no state.
    return town === null || findStateName(town.state) === null ? [] : [{ zip, state: town.state }];
  });
  expect(towns.length).toBeGreaterThan(40_000);
  expect(towns.filter(({ zip, state }) => findStateOfZip(zip) !== state)).toEqual([]);
});
