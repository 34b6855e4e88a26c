import { expect, test } from 'vitest';
import { storedZip, zipInText } from './zip.ts';

test.each([
  ['80202', '80202'],
  [' 80202\n', '80202'],
  ['80202-1234', '80202'],
  ['802021234', '80202'],
  ['80 202', '80202'],
  ['8 0 2 0 2', '80202'],
  ['Denver, CO 80202-1234', '80202'],
  ['12345 Sample Street, Denver 80202', '80202'],
  ['80202-12345', '80202'],
  ['80202 - 12345', '80202'],
  ['80202-123', '80202'],
  ['80202-', '80202'],
  ['CO-80202', '80202'],
  ['8020', null],
  ['303-555-0142', null],
  ['123456', null],
  ['', null],
])('of pasted %j the ZIP is %j', (text, zip) => {
  expect(zipInText(text)).toBe(zip);
});

test.each([
  ['８０２０２', '80202'],
  ['٨٠٢٠٢', '80202'],
  ['80202–1234', '80202'],
  ['80202−1234', '80202'],
  ['80202 1234', '80202'],
  ['CO 80202', '80202'],
  ['802\u00a002', '80202'],
  ['\u206880202\u2069', '80202'],
  ['८०२०२-१२३४', '80202'],
])('the ZIP in %j, as keyboards of the world type it, is %j', (typed, zip) => {
  expect(zipInText(typed)).toBe(zip);
});

test('a ZIP+4 is stored as its ZIP, and any other text as typed', () => {
  expect(['80202-1234', '802021234', '80202', 'CO 80202', '８０２０２'].map(storedZip)).toEqual([
    ...['80202', '80202', '80202'],
    ...['CO 80202', '８０２０２'],
  ]);
});
