import { expect, test } from 'vitest';
import { greatCircleMiles } from '#shared/leads/geo.ts';
import { loadZipTable } from '../matching/zipTable.ts';
import { findNearest, sortNorthward } from './nearestTowns.ts';

// With Guam, American Samoa and the Aleutians, on both sides of the date line.
const places = [...loadZipTable().entries()]
  .filter(([key], at) => key.length === 5 && (at % 19 === 0 || key > '967'))
  .map(([key, latitude, longitude]) => ({ key, point: { latitude, longitude } }));

test('the nearest towns are those of a search through all', () => {
  const northward = sortNorthward(places);
  expect(places.length).toBeGreaterThan(2_000);
  const asked = places.filter((_, at) => at % 29 === 0);
  expect(asked.length).toBeGreaterThan(70);
  for (const town of asked) {
    const miles = places
      .filter((other) => other !== town)
      .map(({ point }) => greatCircleMiles(town.point, point))
      .toSorted((a, b) => a - b)
      .slice(0, 5);
    expect([town.key, findNearest(northward, town, 5).map((found) => found.miles)]).toEqual([
      town.key,
      miles,
    ]);
  }
});

test.each([0, 1, 4])('of %i other towns all are the nearest', (count) => {
  const [town, ...others] = places.slice(0, count + 1);
  if (town === undefined) throw new Error('no town');
  const found = findNearest(sortNorthward([town, ...others]), town, 5).map((one) => one.town);
  expect(new Set(found)).toEqual(new Set(others));
});

test('a town visits few of the others', () => {
  let read = 0;
  const northward = sortNorthward(places).map(({ point }) => ({
    get point() {
      read += 1;
      return point;
    },
  }));
  const [town] = northward.slice(Math.round(northward.length / 2));
  if (town === undefined) throw new Error('no town');
  expect(findNearest(northward, town, 5).length).toBe(5);
  expect(read).toBeLessThan(northward.length / 2);
});
