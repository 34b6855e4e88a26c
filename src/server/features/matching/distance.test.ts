import { expect, test } from 'vitest';
import { chordMetresToMiles, earthRadiusMiles, type GeoPoint, greatCircleMiles } from './distance.ts';

const at = (latitude: number, longitude: number): GeoPoint => ({ latitude, longitude });
const quarter = (Math.PI / 2) * earthRadiusMiles;

test.each([
  ['a quarter of the equator', at(0, 0), at(0, 90), quarter],
  ['from pole to pole', at(90, 12), at(-90, -77), 2 * quarter],
  ['from a place to its antipode', at(39.7491, -104.9946), at(-39.7491, 75.0054), 2 * quarter],
  ['one degree of latitude', at(40, -100), at(41, -100), quarter / 90],
  ['across the date line', at(0, 179.5), at(0, -179.5), quarter / 90],
  ['the same meridian written as 180 and as -180', at(52, 180), at(52, -180), 0],
  ['at a pole longitude means nothing', at(90, 0), at(90, 137), 0],
  ['a place from itself', at(39.7491, -104.9946), at(39.7491, -104.9946), 0],
])('%s', (_, from, to, miles) => {
  expect(greatCircleMiles(from, to)).toBeCloseTo(miles, 3);
  expect(greatCircleMiles(to, from)).toBeCloseTo(miles, 3);
});

test('JFK to LAX is 2,470 miles on the mean sphere, as published', () => {
  expect(greatCircleMiles(at(40.6398, -73.7789), at(33.9425, -118.4081))).toBeCloseTo(2469, -1);
});

test('points a few feet apart have a distance', () => {
  expect(greatCircleMiles(at(40, -100), at(40.00001, -100))).toBeCloseTo(0.00069, 5);
});

test.each([
  ['no chord', 0, 0],
  ['the diameter, and rounding beyond it', 2 * 6_378_168 + 1e-6, 2 * quarter],
  ['the chord of a quarter', Math.SQRT2 * 6_378_168, quarter],
])('a chord through the earth in miles along the ground: %s', (_, metres, miles) => {
  expect(chordMetresToMiles(metres)).toBeCloseTo(miles, 6);
});
