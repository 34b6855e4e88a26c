import { expect, test } from 'vitest';
import { acceptedEncodings } from './requestHeaders.ts';

test.each([
  [undefined, ['identity']],
  ['', ['identity']],
  ['gzip, deflate, br, zstd', ['br', 'gzip', 'identity']],
  ['gzip', ['gzip', 'identity']],
  ['x-gzip', ['gzip', 'identity']],
  ['GZIP', ['gzip', 'identity']],
  ['br;q=0.5, gzip;q=0.9', ['gzip', 'br', 'identity']],
  ['br;q=0, gzip', ['gzip', 'identity']],
  ['gzip;q=0', ['identity']],
  ['gzip;q=0.000, *;q=0.1', ['br', 'identity']],
  ['*', ['br', 'gzip', 'identity']],
  ['*;q=0', ['identity']],
  ['identity', ['identity']],
  ['identity;q=1, gzip;q=0.5', ['identity']],
  ['gzip;q=nonsense', ['identity']],
  ['deflate, , ;q=1', ['identity']],
])('Accept-Encoding %j accepts %j, best first', (header, expected) => {
  expect(acceptedEncodings(header)).toEqual(expected);
  expect(acceptedEncodings(header)).toEqual(expected);
});
