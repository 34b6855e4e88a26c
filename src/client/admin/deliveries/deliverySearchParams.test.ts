import { expect, test } from 'vitest';
import { leadSearch } from '#shared/admin/adminLeads.ts';
import { searchParams } from '#shared/admin/searchParams.ts';
import { isFiltered, readSearchParams, writeSearchParams } from './deliverySearchParams.ts';

const filter = {
  state: 'failed',
  channel: 'webhook',
  endpointId: '0b6a3c4e-7d12-4f5a-9c3e-2a1b0c9d8e7f',
  eventType: 'lead.created',
  leadId: 42,
  from: '2026-06-01',
  to: '2026-06-03',
} as const;
const leadParams = searchParams(leadSearch);
const nothing = { filter: {}, page: 1 };

test('filter and page are read from the URL that they were written to', () => {
  const params = { filter, page: 3 };
  expect(readSearchParams(writeSearchParams(new URLSearchParams(), params))).toEqual(params);
  expect(isFiltered(filter)).toBe(true);
});

test('the defaults leave nothing in the URL, and other parameters stay', () => {
  const before = new URLSearchParams(
    'tab=deliveries&deliveryPage=9&deliveryState=held&deliveryEvent=lead.created',
  );
  expect(writeSearchParams(before, nothing).toString()).toBe('tab=deliveries');
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
])('a value that is not valid (%s) is ignored', (query) => {
  const params = readSearchParams(new URLSearchParams(query));
  expect(params).toEqual(nothing);
  expect(isFiltered(params.filter)).toBe(false);
});

test('the leads’ filter and page in the same URL are neither read nor changed', () => {
  const leads = new URLSearchParams('status=failed&page=4&lead=7&search=x&delivery=failed&from=2026-01-01');
  expect(readSearchParams(leads)).toEqual(nothing);
  const both = writeSearchParams(leads, { filter, page: 2 });
  expect(leadParams.read(both)).toEqual(leadParams.read(leads));
  expect(readSearchParams(leadParams.write(both, {}))).toEqual({ filter, page: 2 });
});
