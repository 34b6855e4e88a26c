import { expect, test } from 'vitest';
import { leadSearch } from '#shared/admin/adminLeads.ts';
import { searchParams } from '#shared/admin/searchParams.ts';
import { applicationSearch } from '#shared/applications/adminApplications.ts';
import { applicationPrefix } from './copy.ts';

const list = searchParams(applicationSearch, applicationPrefix);
const leads = searchParams(leadSearch);

test('a bookmarked link keeps its meaning and its spelling', () => {
  const values = { status: 'accepted', page: 3 } as const;
  const link = 'applicationStatus=accepted&applicationPage=3';
  expect(list.read(new URLSearchParams(link))).toEqual(values);
  expect(list.write(new URLSearchParams(), values).toString()).toBe(link);
});

test('the default list leaves nothing in the URL, and other parameters stay', () => {
  const before = new URLSearchParams('tab=applications&applicationPage=9&applicationStatus=new');
  expect(list.write(before, { page: 1 }).toString()).toBe('tab=applications');
});

test.each([
  'applicationPage=0',
  'applicationPage=1.5',
  'applicationPage=9999999',
  'applicationStatus=approved',
])('the invalid value of %s is ignored', (query) => {
  expect(list.read(new URLSearchParams(query))).toEqual({ page: 1 });
});

test('the filter and page of the leads in the same URL are neither read nor changed', () => {
  const before = new URLSearchParams('status=failed&page=4&lead=7&search=x');
  expect(list.read(before)).toEqual({ page: 1 });
  const both = list.write(before, { status: 'new', page: 2 });
  expect(leads.read(both)).toEqual(leads.read(before));
  expect(list.read(leads.write(both, {}))).toEqual({ status: 'new', page: 2 });
});
