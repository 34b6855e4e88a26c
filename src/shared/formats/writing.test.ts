import { expect, test } from 'vitest';
import { longDate } from './writing.ts';

test.each([
  ['2026-01-01', 'January 1, 2026'],
  ['2026-11-21', 'November 21, 2026'],
  ['2028-02-29', 'February 29, 2028'],
  ['2026-12-31', 'December 31, 2026'],
])('%s is written as %s in every time zone', (isoDate, text) => {
  expect(longDate(isoDate)).toBe(text);
});
