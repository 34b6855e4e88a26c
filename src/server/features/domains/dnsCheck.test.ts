import { afterAll, beforeAll, expect, test } from 'vitest';
import { dnsServer } from '#test/support/dnsServer.ts';
import { checkDns } from './dnsCheck.ts';
import { createNameLookup, type NameLookup } from './nameLookup.ts';

const [four, six] = ['203.0.114.1', '2606:4700::1111'];
const ours = { addresses: [four, six] };

let server: Awaited<ReturnType<typeof dnsServer>>;
let names: NameLookup;
beforeAll(async () => {
  server = await dnsServer({
    'brand.example': ours,
    'good.example': ours,
    'www.good.example': { alias: 'good.example' },
    'plain.example': { addresses: [four] },
    'moved.example': { addresses: [four] },
    'www.moved.example': { addresses: ['198.51.100.9'] },
    'shop.clinic.example': { alias: 'brand.example' },
    'other.example': { addresses: ['198.51.100.9', '198.51.100.8'] },
    'parked.clinic.example': { alias: 'parking.example' },
    'parking.example': { addresses: ['198.51.100.7'] },
    'half.example': { addresses: [four, '198.51.100.9'] },
    'old-six.example': { addresses: [four, '2606:4700::9'] },
    'bare.example': {},
    'mute.example': 'silent',
    'sick.example': 'fault',
    'clinic.co.example': { addresses: ['198.51.100.9'], isZone: true },
  });
  names = createNameLookup({ servers: [server.address], timeoutMs: 600 });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const expected = `Expected: ${four}, ${six}.`;
const own = { mainDomains: ['brand.example'], siteAddresses: [four, six] };
const check = (domain: string, config = own) => checkDns(domain, { names, config });

test.each([
  ['good.example', `good.example points here: ${four}, ${six}.`],
  [
    'plain.example',
    `plain.example points here: ${four}. www.plain.example doesn’t exist. Visitors who type it see an error.`,
  ],
  [
    'moved.example',
    `moved.example points here: ${four}. www.moved.example doesn’t point here. Visitors who type it see another site.`,
  ],
  ['shop.clinic.example', `shop.clinic.example points here: ${four}, ${six}.`],
])('%s resolves to this service and needs no record', async (domain, text) => {
  const { dns, records, addresses } = await check(domain);
  expect([dns, records]).toEqual([{ state: 'ok', text }, []]);
  expect(addresses).toContain(four);
});

const apex = (name: string) => [
  { type: 'A', name, value: four },
  { type: 'AAAA', name, value: six },
];
const alias = (name: string) => [{ type: 'CNAME', name, value: 'brand.example' }];

test.each([
  [
    'other.example',
    'wrong',
    `other.example points to 198.51.100.8, 198.51.100.9, not here. ${expected}`,
    apex,
  ],
  [
    'parked.clinic.example',
    'wrong',
    `parked.clinic.example points to 198.51.100.7 through parking.example, not here. ${expected}`,
    alias,
  ],
  [
    'half.example',
    'wrong',
    `half.example points here, but also to 198.51.100.9. Visitors sent there don’t see the provider’s page. ${expected}`,
    apex,
  ],
  [
    'old-six.example',
    'wrong',
    `old-six.example points here, but also to 2606:4700::9. Visitors sent there don’t see the provider’s page. ${expected}`,
    apex,
  ],
  ['nowhere.example', 'wrong', 'nowhere.example does not exist in DNS.', apex],
  ['nowhere.clinic.example', 'wrong', 'nowhere.clinic.example does not exist in DNS.', alias],
  ['bare.example', 'wrong', 'bare.example exists in DNS but has no address.', apex],
  ['mute.example', 'unknown', 'DNS didn’t respond in time. Try again in a minute.', apex],
  ['sick.example', 'unknown', 'The name server of sick.example returned an error (SERVFAIL).', apex],
  ['clinic.co.example', 'wrong', `clinic.co.example points to 198.51.100.9, not here. ${expected}`, apex],
] as const)('of %s it says so (%s) and names the record', async (domain, state, text, records) => {
  expect(await check(domain)).toEqual({ dns: { state, text }, records: records(domain), addresses: [] });
});

test('without SITE_ADDRESSES, it expects the addresses of the first main domain', async () => {
  const config = { mainDomains: ['brand.example', 'good.example'], siteAddresses: [] };
  expect((await check('good.example', config)).dns.state).toBe('ok');
  expect((await check('other.example', config)).records).toEqual(apex('other.example'));
});

test("if the service's own addresses are unknown, it makes no claim", async () => {
  const config = { mainDomains: ['nowhere.example'], siteAddresses: [] };
  expect(await check('good.example', config)).toEqual({
    dns: {
      state: 'unknown',
      text: `good.example points to ${four}, ${six}. This service’s own addresses are unknown. Set SITE_ADDRESSES.`,
    },
    records: [],
    addresses: [],
  });
  expect((await check('missing.example', config)).dns.text).toBe('missing.example does not exist in DNS.');
});

test('names below localhost are loopback without a lookup', async () => {
  const development = { mainDomains: [], siteAddresses: [] };
  expect(await check('clinic.localhost', development)).toEqual({
    dns: { state: 'ok', text: 'clinic.localhost points here: 127.0.0.1.' },
    records: [],
    addresses: ['127.0.0.1'],
  });
  const { dns, records } = await check('clinic.localhost', { mainDomains: [], siteAddresses: [four] });
  expect(dns).toEqual({
    state: 'wrong',
    text: `clinic.localhost points to 127.0.0.1, not here. Expected: ${four}.`,
  });
  expect(records).toEqual([{ type: 'A', name: 'clinic.localhost', value: four }]);
});
