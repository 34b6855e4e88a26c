import { expect, test } from 'vitest';
import { leadFilter, leadSearch, listedFilter } from './adminLeads.ts';

test.each([
  {},
  { match: 'unmatched' },
  { status: 'failed', outcome: 'none', repeat: true, delivery: 'failed' },
  { search: '' },
] as const)('the dashboard leaves quarantined leads out of %j', (filter) => {
  expect(listedFilter(filter)).toEqual({ ...filter, quarantined: false });
});

test.each([
  { search: 'ann' },
  { quarantined: true },
  { search: 'ann', quarantined: false },
  { overLimit: true },
  { deleted: true },
  { task: 'phone-withdrawn' },
] as const)('the dashboard lists quarantined leads as %j asks', (filter) => {
  expect(listedFilter(filter)).toEqual(filter);
});

test('days of the URL become instants in the viewer’s time zone, the last day included', () => {
  const listed = leadFilter.parse(listedFilter(leadSearch.parse({ from: '2026-02-28', to: '2026-02-28' })));
  expect(listed.createdFrom).toBe(new Date(2026, 1, 28).toISOString());
  expect(listed.createdBefore).toBe(new Date(2026, 2, 1).toISOString());
  expect([listed.from, listed.to]).toEqual([undefined, undefined]);
});
