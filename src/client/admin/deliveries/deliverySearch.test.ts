import { expect, test } from 'vitest';
import { deliveryPrefix } from '#client/admin/kit/DeliveriesLink.tsx';
import { deliverySearch } from '#shared/admin/adminDeliveries.ts';
import { leadSearch } from '#shared/admin/adminLeads.ts';
import { searchParams } from '#shared/admin/searchParams.ts';
import { isFiltered } from './DeliveryFilters.tsx';

const list = searchParams(deliverySearch, deliveryPrefix);
const leads = searchParams(leadSearch);
const filter = {
  state: 'failed',
  channel: 'webhook',
  endpoint: '0b6a3c4e-7d12-4f5a-9c3e-2a1b0c9d8e7f',
  event: 'lead.created',
  lead: 42,
  from: '2026-06-01',
  to: '2026-06-03',
} as const;

test('a bookmarked link keeps its meaning and its spelling', () => {
  const values = { state: 'held', event: 'lead.created', lead: 42, from: '2026-06-01', page: 3 } as const;
  const link =
    'deliveryState=held&deliveryEvent=lead.created&deliveryLead=42&deliveryFrom=2026-06-01&deliveryPage=3';
  expect(list.read(new URLSearchParams(link))).toEqual(values);
  expect(list.write(new URLSearchParams(), values).toString()).toBe(link);
});

test('filter and page are read from the URL that they were written to', () => {
  const values = { ...filter, page: 3 };
  expect(list.read(list.write(new URLSearchParams(), values))).toEqual(values);
  expect(isFiltered(filter)).toBe(true);
});

test('the default list leaves nothing in the URL, and other parameters stay', () => {
  const before = new URLSearchParams(
    'tab=deliveries&deliveryPage=9&deliveryState=held&deliveryEvent=lead.created',
  );
  expect(list.write(before, { page: 1 }).toString()).toBe('tab=deliveries');
});

test.each([
  'deliveryPage=0',
  'deliveryPage=10001',
  'deliveryPage=1e3',
  'deliveryState=lost',
  'deliveryChannel=pigeon',
  'deliveryEndpoint=7',
  'deliveryEvent=lead.lost',
  'deliveryLead=-1',
  'deliveryLead=0x10',
  'deliveryLead=99999999999999999999',
  'deliveryFrom=2026-02-30',
  'deliveryTo=yesterday',
  'deliveryFrom=0000-01-01',
  'deliveryTo=9999-12-31',
])('the invalid value of %s is ignored', (query) => {
  const { page, ...rest } = list.read(new URLSearchParams(query));
  expect(page).toBe(1);
  expect(isFiltered(rest)).toBe(false);
});

test('the filter and page of the leads in the same URL are neither read nor changed', () => {
  const before = new URLSearchParams('status=failed&page=4&lead=7&search=x&delivery=failed&from=2026-01-01');
  expect(list.read(before)).toEqual({ page: 1 });
  const both = list.write(before, { ...filter, page: 2 });
  expect(leads.read(both)).toEqual(leads.read(before));
  expect(list.read(leads.write(both, {}))).toEqual({ ...filter, page: 2 });
});
