import { expect, test } from 'vitest';
import { zipInText } from './zip.ts';

test.each([
  ['80202', '80202'],
  [' 80202\n', '80202'],
  ['80202-1234', '80202'],
  ['802021234', '80202'],
  ['80 202', '80202'],
  ['8 0 2 0 2', '80202'],
  ['Denver, CO 80202-1234', '80202'],
  ['12345 Sample Street, Denver 80202', '80202'],
  ['8020', null],
  ['303-555-0142', null],
  ['123456', null],
  ['', null],
])('of pasted %j the ZIP is %j', (text, zip) => {
  expect(zipInText(text)).toBe(zip);
});
