import { expect, test } from 'vitest';
import { areasOnMap, continentIn } from './demandAreas.ts';

test('an area without a location is not on the map; the others have unique numbers', () => {
  const area = { leads: 3, nearestProvider: null };
  const placed = areasOnMap([
    { ...area, zip3: '000', point: null },
    { ...area, zip3: '044', point: { latitude: 45, longitude: -69 } },
    { ...area, zip3: '440', point: { latitude: 41, longitude: -81 } },
  ]);
  expect(placed.map(({ id, count }) => [id, count])).toEqual([
    [44, 3],
    [440, 3],
  ]);
});

test.each([290, 650, 690])('a map %i px wide shows both coasts', (width) => {
  const { center, zoom } = continentIn(width);
  const degreesPerPixel = 360 / (256 * 2 ** zoom);
  expect(center.longitude - (width / 2) * degreesPerPixel).toBeLessThan(-125);
  expect(center.longitude + (width / 2) * degreesPerPixel).toBeGreaterThan(-67);
});
