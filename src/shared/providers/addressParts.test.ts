import { expect, test } from 'vitest';
import { addressParts } from './addressParts.ts';

test.each([
  ['100 Sample Street, Denver, CO', '80202', ['100 Sample Street', 'Denver', 'CO']],
  [
    '100 Sample Street, Suite 5, St. Paul, MN 55101',
    '55101-1234',
    ['100 Sample Street, Suite 5', 'St. Paul', 'MN'],
  ],
  ['7 West St,Winston-Salem , NC  27101-0001', '27101', ['7 West St', 'Winston-Salem', 'NC']],
])('street, city and state of %j are certain', (address, zip, [street, city, state]) => {
  expect(addressParts(address, zip)).toEqual({ street, city, state });
});

test.each([
  ['100 Sample Street, Suite B, CO', '80202'],
  ['Building 2, Sample Street, CO', '80202'],
  ['Suite 4, One Sample Ave., CO', '80202'],
  ['100 Sample Street, Denver, CO 80203', '80202'],
  ['100 Sample Street, Denver, NY', '80202'],
  ['100 Sample Street, Denver, XX', '80202'],
  ['Sample House, Denver, CO', '80202'],
  ['Denver, CO', '80202'],
  ['100 Sample Street, Denver, Colorado', '80202'],
  ['100 Sample Street Denver CO', '80202'],
  ['100 Sample Street, Denver, CO, USA', '80202'],
  ['100 Sample Street, Denver, CO', ''],
  ['', '80202'],
  [null, '80202'],
])('an address that may be read in another way has no parts: %j in %j', (address, zip) => {
  expect(addressParts(address, zip)).toBeNull();
});
