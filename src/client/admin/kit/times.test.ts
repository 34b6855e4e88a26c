import { expect, test } from 'vitest';
import { meets } from '#test/support/meets.ts';
import { aheadText, dayText, instantHint, instantText, relativeText } from './times.ts';

const now = Date.parse('2026-03-10T12:00:00Z');

test.each([
  ['2026-03-10T12:00:00Z', 'now'],
  ['2026-03-10T11:59:01Z', 'now'],
  ['2026-03-10T12:00:40Z', 'now'],
  ['2026-03-10T11:59:00Z', '1 minute ago'],
  ['2026-03-10T09:00:00Z', '3 hours ago'],
  ['2026-03-09T12:00:00Z', 'yesterday'],
  ['2026-02-01T12:00:00Z', 'last month'],
  ['2023-02-01T12:00:00Z', '3 years ago'],
])('the past time %s is written as %s', (iso, text) => {
  expect(relativeText(iso, now)).toBe(text);
});

test.each([
  ['2026-03-10T11:00:00Z', 'now'],
  ['2026-03-10T12:00:00Z', 'now'],
  ['2026-03-10T12:00:01Z', 'in 1 minute'],
  ['2026-03-10T12:29:40Z', 'in 30 minutes'],
  ['2026-03-10T13:40:00Z', 'in 2 hours'],
  ['2026-03-11T13:00:00Z', 'tomorrow'],
])('the future time %s is written as %s', (iso, text) => {
  expect(aheadText(iso, now)).toBe(text);
});

test('a date is written like Jan 5, 2024, and null as a dash', () => {
  expect(dayText('2024-01-05T12:00:00Z')).toBe('Jan 5, 2024');
  expect(dayText(null)).toBe('—');
});

test('the tooltip of a time adds UTC', () => {
  meets('D.conformity.43');
  const iso = '2024-01-05T23:32:10Z';
  expect(instantHint(iso)).toBe(`${instantText(iso)} (Jan 5, 2024, 23:32:10 UTC)`);
});
