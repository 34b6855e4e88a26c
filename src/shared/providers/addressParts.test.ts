import { expect, test } from 'vitest';
import { addressLine, addressParts, findTown } from './addressParts.ts';

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

const towns: Record<string, string> = { '80202': 'Denver', '96734': 'Kailua', '10016': 'New York' };
const findZipTown = (zip: string) => {
  const city = towns[zip];
  return city === undefined ? null : { city };
};

test.each([
  ['100 Sample Street, Boulder, CO 80202', '80202', 'CO', 'Boulder'],
  ['Sample House, Denver, CO', '80202', 'CO', 'Denver'],
  ['100 Sample Street, Suite B, CO', '80202', 'CO', 'Denver'],
  ['100 Sample Street', '80202', 'CO', 'Denver'],
  // A ZIP of another state: which of the two is wrong isn't known.
  ['100 Sample Street, Denver, CO', '10016', 'NY', null],
  ['7 Sample Street, Hagåtña, GU', '96910', 'GU', 'Hagåtña'],
  ['7 Sample Street, Kailua, AS', '96734', 'HI', null],
  [null, '96734', 'HI', 'Kailua'],
  [null, '96799', 'AS', null],
  [null, '06390-1234', 'NY', null],
  ['7 Sample Street, Fishers Island, NY', '06390', 'NY', 'Fishers Island'],
])('the state and town of %j in %j are %s and %s', (address, zip, state, city) => {
  expect(findTown(address, zip, findZipTown)).toEqual({ state, city });
});

test.each(['00001', '', 'none', '96960'])('without a known ZIP prefix there is no state: %j', (zip) => {
  expect(findTown('100 Sample Street, Denver, CO', zip, findZipTown)).toBeNull();
});

test.each([
  ['100 Sample Street, Denver, CO', '100 Sample Street, Denver, CO 80202'],
  ['100 Sample Street, Denver, CO 80202', '100 Sample Street, Denver, CO 80202'],
  ['100 Sample Street, Denver, CO, 80202 ', '100 Sample Street, Denver, CO 80202'],
  ['80202 Quay Road, Denver, CO', '80202 Quay Road, Denver, CO 80202'],
])('the address %j in 80202 is shown as %j', (address, line) => {
  expect(addressLine(address, '80202')).toBe(line);
});
