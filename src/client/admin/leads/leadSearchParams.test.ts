import { expect, test } from 'vitest';
import { type LeadView, leadsCsvHref, readView, writeView } from './leadSearchParams.ts';

const full: LeadView = {
  filter: {
    search: 'ann o’hara & sons',
    providerId: 12,
    match: 'matched',
    quarantined: true,
    overLimit: true,
    repeat: false,
    deleted: true,
    status: 'failed',
    outcome: 'wrong-area',
    delivery: 'failed',
    task: 'phone-withdrawn',
    from: '2026-01-31',
    to: '2026-02-28',
  },
  sort: '-last_name',
  page: 3,
  lead: 77,
};

/** A bookmarked link: it must keep its meaning. */
const link =
  'search=ann+o%E2%80%99hara+%26+sons&providerId=12&match=matched&quarantined=true&overLimit=true&repeat=false&deleted=true&status=failed&outcome=wrong-area&delivery=failed&task=phone-withdrawn&from=2026-01-31&to=2026-02-28&sort=-last_name&page=3&lead=77';

test('a bookmarked link keeps its meaning and its spelling', () => {
  expect(readView(new URLSearchParams(link))).toEqual(full);
  expect(writeView(new URLSearchParams(), full).toString()).toBe(link);
});

test('the usual view leaves nothing in the address, and other parts of it stay', () => {
  const usual: LeadView = { filter: {}, sort: '-created_at', page: 1, lead: null };
  const written = writeView(new URLSearchParams('tab=leads&page=9&search=x'), usual);
  expect(written.toString()).toBe('tab=leads');
  expect(readView(written)).toEqual(usual);
});

test.each([
  'page=0',
  'page=-1',
  'page=1e3',
  'page=99999999999999',
  'sort=email',
  'lead=x',
  'providerId=1.5',
  'status=done',
  'match=yes',
  'outcome=sold',
  'delivery=yes',
  'quarantined=1',
  'overLimit=1',
  'deleted=1',
  'deleted=false',
  'from=2026-02-30',
  'to=yesterday',
  'from=1999-12-31',
  'to=9999-12-31',
  'search=%20%20',
])('what %s can’t mean counts as left out', (query) => {
  expect(readView(new URLSearchParams(query))).toEqual({
    filter: {},
    sort: '-created_at',
    page: 1,
    lead: null,
  });
});

test('the CSV is of the leads looked at, whatever the page and order', () => {
  expect(leadsCsvHref({})).toBe('/api/leads.csv');
  expect(leadsCsvHref({ search: 'a&b', status: 'failed' })).toBe('/api/leads.csv?search=a%26b&status=failed');
});
