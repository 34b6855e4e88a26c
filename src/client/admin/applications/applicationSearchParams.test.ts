import { expect, test } from 'vitest';
import { readView as readLeadView, writeView as writeLeadView } from '../leads/leadSearchParams.ts';
import { readView, writeView } from './applicationSearchParams.ts';

test('a bookmarked link keeps its meaning and its spelling', () => {
  const view = { status: 'accepted', page: 3 } as const;
  const link = 'applicationStatus=accepted&applicationPage=3';
  expect(readView(new URLSearchParams(link))).toEqual(view);
  expect(writeView(new URLSearchParams(), view).toString()).toBe(link);
});

test('the usual view leaves nothing in the address, and other parts of it stay', () => {
  const before = new URLSearchParams('tab=applications&applicationPage=9&applicationStatus=new');
  expect(writeView(before, { status: undefined, page: 1 }).toString()).toBe('tab=applications');
});

test.each([
  'applicationPage=0',
  'applicationPage=1.5',
  'applicationPage=9999999',
  'applicationStatus=approved',
])('what the address can’t mean (%s) counts as left out', (query) => {
  expect(readView(new URLSearchParams(query))).toEqual({ status: undefined, page: 1 });
});

test('the leads’ filter and page in the same address are neither read nor changed', () => {
  const leads = new URLSearchParams('status=failed&page=4&lead=7&search=x');
  expect(readView(leads)).toEqual({ status: undefined, page: 1 });
  const both = writeView(leads, { status: 'new', page: 2 });
  expect(readLeadView(both)).toEqual(readLeadView(leads));
  expect(readView(writeLeadView(both, readLeadView(new URLSearchParams())))).toEqual({
    status: 'new',
    page: 2,
  });
});
