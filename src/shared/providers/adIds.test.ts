import { expect, test } from 'vitest';
import { hasAdIds, validAdIds } from './adIds.ts';

test.each([
  ['AW-1234567890', '12345678'],
  ['AW-1234567890/AbC_d-9', '12345678'],
])('%s and %s are ids', (google, microsoft) => {
  expect(validAdIds({ google, microsoft })).toEqual({ google, microsoft });
});

test.each([
  ['', ''],
  ['aw-123', 'UET-1'],
  ['AW-', '12a'],
  ['AW-1;alert(1)', "1'"],
  ['AW-12\n', '12\n'],
  ['AW-12/', ' 12'],
  ['AW-12/a b', '-1'],
  ['G-12345', '1'.repeat(21)],
])('%j and %j count as none', (google, microsoft) => {
  const none = { google: null, microsoft: null };
  expect(validAdIds({ google, microsoft })).toEqual(none);
  expect(hasAdIds(none)).toBe(false);
});

test('one account is enough to ask for consent', () => {
  expect(hasAdIds({ google: null, microsoft: '1' })).toBe(true);
  expect(hasAdIds({ google: 'AW-1', microsoft: null })).toBe(true);
});
