import { expect, test } from 'vitest';
import { leadSearch } from '#shared/admin/adminLeads.ts';
import { searchParams } from '#shared/admin/searchParams.ts';
import { deliveriesHref, isFiltered, readView, writeView } from './deliverySearchParams.ts';

const filter = {
  state: 'failed',
  channel: 'clinic-email',
  leadId: 42,
  from: '2026-06-01',
  to: '2026-06-03',
} as const;
const leadParams = searchParams(leadSearch);
const nothing = { filter: {}, page: 1 };

test('a view is read from the address it was written to', () => {
  const view = { filter, page: 3 };
  expect(readView(writeView(new URLSearchParams(), view))).toEqual(view);
  expect(isFiltered(filter)).toBe(true);
});

test('the usual view leaves nothing in the address, and other parts of it stay', () => {
  const before = new URLSearchParams('tab=deliveries&deliveryPage=9&deliveryState=held');
  expect(writeView(before, nothing).toString()).toBe('tab=deliveries');
});

test.each([
  'deliveryPage=0',
  'deliveryPage=10001',
  'deliveryPage=1e3',
  'deliveryState=lost',
  'deliveryChannel=pigeon',
  'deliveryLead=-1',
  'deliveryLead=0x10',
  'deliveryLead=99999999999999999999',
  'deliveryFrom=2026-02-30',
  'deliveryTo=yesterday',
  'deliveryFrom=0000-01-01',
  'deliveryTo=9999-12-31',
])('what the address can’t mean (%s) counts as left out', (query) => {
  const view = readView(new URLSearchParams(query));
  expect(view).toEqual(nothing);
  expect(isFiltered(view.filter)).toBe(false);
});

test('the leads’ filter and page in the same address are neither read nor changed', () => {
  const leads = new URLSearchParams('status=failed&page=4&lead=7&search=x&delivery=failed&from=2026-01-01');
  expect(readView(leads)).toEqual(nothing);
  const both = writeView(leads, { filter, page: 2 });
  expect(leadParams.read(both)).toEqual(leadParams.read(leads));
  expect(readView(leadParams.write(both, {}))).toEqual({ filter, page: 2 });
});

test('the way to a lead’s deliveries closes the lead and forgets the filter before', () => {
  const here = new URLSearchParams('lead=7&search=x&deliveryState=held&deliveryPage=2');
  expect(deliveriesHref(here, { leadId: 7 })).toBe('?search=x&deliveryLead=7&tab=deliveries');
});
