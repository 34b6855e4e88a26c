import { expect, test } from 'vitest';
import { leadSearch, openLeadSearch } from '#shared/admin/adminLeads.ts';
import { searchParams } from '#shared/admin/searchParams.ts';
import { meets } from '#test/support/meets.ts';
import { filterQuery, leadsCsvHref } from './leadSearch.ts';

const list = searchParams(leadSearch);
const drawer = searchParams(openLeadSearch);
const usual = { sort: '-created_at', page: 1 } as const;
const full = {
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
  sort: '-last_name',
  page: 3,
} as const;

/** A bookmarked link must keep its meaning. */
const link =
  'search=ann+o%E2%80%99hara+%26+sons&providerId=12&match=matched&quarantined=true&overLimit=true&repeat=false&deleted=true&status=failed&outcome=wrong-area&delivery=failed&task=phone-withdrawn&from=2026-01-31&to=2026-02-28&sort=-last_name&page=3&lead=77';

test('a bookmarked link keeps its meaning and its spelling', () => {
  meets('D.admin.54');
  const params = new URLSearchParams(link);
  expect([list.read(params), drawer.read(params)]).toEqual([full, { lead: 77 }]);
  expect(drawer.write(list.write(new URLSearchParams(), full), { lead: 77 }).toString()).toBe(link);
});

test('the default list leaves nothing in the URL, and other parameters stay', () => {
  const written = list.write(new URLSearchParams('tab=leads&page=9&search=x'), usual);
  expect(written.toString()).toBe('tab=leads');
  expect(list.read(written)).toEqual(usual);
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
])('the invalid value of %s is ignored', (query) => {
  const params = new URLSearchParams(query);
  expect([list.read(params), drawer.read(params)]).toEqual([usual, {}]);
});

test('the CSV contains the leads of the filter, for any page and order', () => {
  expect(leadsCsvHref({})).toBe('/api/leads.csv');
  expect(leadsCsvHref({ search: 'a&b', status: 'failed' })).toBe('/api/leads.csv?search=a%26b&status=failed');
});

test('equal filters have equal queries, in any order of their keys', () => {
  expect(filterQuery({ quarantined: false, match: 'unmatched' })).toBe(
    filterQuery({ match: 'unmatched', quarantined: false, search: undefined }),
  );
});
