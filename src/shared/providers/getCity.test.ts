import { expect, test } from 'vitest';
import { getCity } from './addressParts.ts';

test.each([
  ['100 Sample Street, Denver, CO', 'Denver, CO'],
  ['100 Sample Street, Suite 5, St. Paul, MN 55101', 'St. Paul, MN'],
  ['100 Sample Street, Denver, CO 80202-1234', 'Denver, CO'],
  ['100 Sample Street, CO', null],
  ['100 Sample Street', null],
  ['Denver, Colorado', null],
  ['', null],
  [null, null],
])('the city of %j is %j', (address, city) => {
  expect(getCity(address)).toBe(city);
});
