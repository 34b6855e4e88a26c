import { describe, expect, test } from 'vitest';
import { daysInRange, type InsightsRange, insightsSearch } from '#shared/admin/insights.ts';
import { searchParams } from '#shared/admin/searchParams.ts';
import { defaultRange, insightsCsvHref, lastDays, lastYear, toRange, buildSearch } from './insightRange.ts';

const today = '2026-06-15';
const search = searchParams(insightsSearch);
const read = (query: string) => toRange(search.read(new URLSearchParams(query)), today);
const write = (query: string, range: InsightsRange) =>
  search.write(new URLSearchParams(query), buildSearch(range, today)).toString();

describe('the days that a URL names', () => {
  test.each([
    ['', '2026-05-17', today],
    ['since=2026-06-01&until=2026-06-05', '2026-06-01', '2026-06-05'],
    ['since=2026-06-01', '2026-06-01', today],
    ['until=2026-01-31', '2026-01-02', '2026-01-31'],
    ['since=2026-02-30&until=nonsense', '2026-05-17', today],
    ['since=2027-01-01', '2027-01-01', '2027-01-01'],
    ['from=2026-06-01&to=2026-06-05', '2026-05-17', today],
  ])('%s: %s to %s', (query, from, to) => {
    expect(read(query)).toEqual({ requested: { from, to }, error: null });
  });

  test.each([
    ['since=2026-06-05&until=2026-06-01', 'The end date must not be before the start date'],
    ['since=2025-01-01&until=2026-06-01', 'Choose at most 366 days'],
  ])('%s is rejected with a reason', (query, error) => {
    expect(read(query).error).toBe(error);
  });
});

describe('the URL of a range', () => {
  test('keeps other parameters, and leaves the default days out', () => {
    const before = 'tab=insights&from=2026-01-01&since=2026-02-01';
    expect(write(before, lastDays(7, today))).toBe(
      'tab=insights&from=2026-01-01&since=2026-06-09&until=2026-06-15',
    );
    expect(write(before, defaultRange(today))).toBe('tab=insights&from=2026-01-01');
  });

  test('is read as it was written', () => {
    const range = { from: '2026-03-01', to: '2026-03-31' };
    expect(read(write('', range)).requested).toEqual(range);
  });
});

test.each([
  ['2026-06-15', '2025-06-16', 365],
  ['2024-02-29', '2023-03-01', 366],
  ['2024-03-01', '2023-03-02', 366],
  ['2025-02-28', '2024-02-29', 366],
])('twelve months to %s start on %s: %d days, which is allowed', (end, from, days) => {
  const year = lastYear(end);
  expect(year).toEqual({ from, to: end });
  expect(daysInRange(year)).toBe(days);
});

test('the link to a figure’s file contains the days', () => {
  expect(insightsCsvHref('first-delivery', { from: '2026-06-01', to: '2026-06-05' })).toBe(
    '/api/insights.csv?figure=first-delivery&from=2026-06-01&to=2026-06-05',
  );
});
