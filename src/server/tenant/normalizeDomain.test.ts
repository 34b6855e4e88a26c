import { describe, expect, test } from 'vitest';
import { normalizeDomain } from './normalizeDomain.ts';
import { parseHost } from './parseHost.ts';

const mainDomains = ['brand.example', 'xn--mnchen-brand-dlb.example', 'localhost'];

const name253 = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;

describe('typed text becomes the host by which requests are looked up', () => {
  test.each([
    ['clinic.com', 'clinic.com'],
    ['  Clinic.COM \n', 'clinic.com'],
    ['\u00a0clinic.com\u00a0', 'clinic.com'],
    ['www.clinic.com', 'clinic.com'],
    ['WWW.Clinic.com.', 'clinic.com'],
    ['http://clinic.com', 'clinic.com'],
    ['HTTPS://www.clinic.com/', 'clinic.com'],
    ['//clinic.com', 'clinic.com'],
    ['https://clinic.com/about/?from=ad#team', 'clinic.com'],
    ['clinic.com/start', 'clinic.com'],
    ['clinic.com?utm_source=x', 'clinic.com'],
    ['clinic.com#top', 'clinic.com'],
    ['https://clinic.com:8443/', 'clinic.com'],
    ['clinic.com.:80', 'clinic.com'],
    ['shop.clinic.co.uk', 'shop.clinic.co.uk'],
    ['clinic-2.com', 'clinic-2.com'],
    ['1clinic.com', '1clinic.com'],
    ['wwwclinic.com', 'wwwclinic.com'],
    ['münchen.com', 'xn--mnchen-3ya.com'],
    ['https://www.MÜNCHEN.com/', 'xn--mnchen-3ya.com'],
    ['xn--mnchen-3ya.com', 'xn--mnchen-3ya.com'],
    ['clinic。com', 'clinic.com'],
    ['notbrand.example', 'notbrand.example'],
    ['brand.example.clinic.com', 'brand.example.clinic.com'],
    ['localhost.clinic.com', 'localhost.clinic.com'],
    ['local.clinic.com', 'local.clinic.com'],
    ['amber-quay.localhost', 'amber-quay.localhost'],
    ['http://amber-quay.localhost:3000/', 'amber-quay.localhost'],
    ['clinic.test', 'clinic.test'],
    ['clinic.example', 'clinic.example'],
    [name253, name253],
  ])('%j → %s', (text, domain) => {
    expect(normalizeDomain(text, mainDomains)).toEqual({ domain });
    // As a request for it is read.
    expect(
      parseHost(`www.${domain}`.length > 253 ? domain : `www.${domain}`, { mainDomains, production: true }),
    ).toEqual({
      kind: 'other',
      host: domain,
    });
    expect(normalizeDomain(domain, mainDomains)).toEqual({ domain });
  });
});

const malformed = 'The domain is not a host name, such as clinic.com.';
const address = (host: string) => `${host} is an IP address. A domain is a name, such as clinic.com.`;
const single = (host: string) => `${host} has no dot. A domain has at least two parts, such as clinic.com.`;
const reserved = (host: string, ending: string) =>
  `${host} ends in .${ending}, which is reserved: no visitor could reach it.`;

test.each([
  ['co.uk', 'suffix'],
  ['https://www.co.uk/', 'suffix'],
  ['COM.AU', 'suffix'],
  ['org.', null],
  ['k12.ca.us', 'suffix'],
  ['gmail.com', 'shared'],
  ['clinic@gmail.com', null],
  ['www.Yahoo.com', 'shared'],
  ['https://facebook.com/larkspur-clinic', 'shared'],
  ['gmail.com.', 'shared'],
] as const)('%j is refused as nobody’s own domain', (text, kind) => {
  const result = normalizeDomain(text, mainDomains);
  const isShared = kind === null ? undefined : true;
  expect(result).toMatchObject({ refused: expect.any(String), ...(isShared && { isShared }) });
});

test.each([
  'clinic.co.uk',
  'gmail.co',
  'mygmail.com',
  'larkspur.wixsite.com',
  'clinic.k12.ca.us',
  'me.clinic.com',
])('%j, which one owner has, is accepted', (domain) => {
  expect(normalizeDomain(domain, mainDomains)).toEqual({ domain });
});

describe('a domain that no provider can have is refused with the reason', () => {
  test.each([
    ['', 'The domain is empty.'],
    ['  ', 'The domain is empty.'],
    ['https://', 'The domain is empty.'],
    ['https:///clinic.com', 'The domain is empty.'],
    ['n/a', single('n')],
    ['brand.example', 'brand.example belongs to the main site.'],
    ['https://www.Brand.Example./x', 'brand.example belongs to the main site.'],
    ['münchen-brand.example', 'xn--mnchen-brand-dlb.example belongs to the main site.'],
    ['admin.brand.example', 'admin.brand.example is part of brand.example, which belongs to the main site.'],
    ['a.b.brand.example', 'a.b.brand.example is part of brand.example, which belongs to the main site.'],
    ['localhost', 'localhost belongs to the main site.'],
    ['http://www.localhost:3000', 'localhost belongs to the main site.'],
    ['127.0.0.1', '127.0.0.1 belongs to the main site.'],
    ['[::1]:3000', '[::1] belongs to the main site.'],
    ['203.0.113.7', address('203.0.113.7')],
    ['https://203.0.113.7:443/', address('203.0.113.7')],
    ['[2001:DB8::1]', address('[2001:db8::1]')],
    ['clinic', single('clinic')],
    ['www', single('www')],
    ['www.com', single('com')],
    ['admin.', single('admin')],
    ['my_clinic.com', 'my_clinic.com has an underscore, which a website’s name can’t have.'],
    [
      '_acme-challenge.clinic.com',
      '_acme-challenge.clinic.com has an underscore, which a website’s name can’t have.',
    ],
    ['www.www.clinic.com', 'The domain begins with www. twice.'],
    ['clinic.local', reserved('clinic.local', 'local')],
    ['printer.clinic.internal', reserved('printer.clinic.internal', 'internal')],
    ['clinic.invalid', reserved('clinic.invalid', 'invalid')],
    ['clinic.home.arpa', reserved('clinic.home.arpa', 'arpa')],
    ['clinic.onion', reserved('clinic.onion', 'onion')],
    ['localhost.localdomain', reserved('localhost.localdomain', 'localdomain')],
    ['clinic.alt', reserved('clinic.alt', 'alt')],
  ])('%j: %s', (text, refused) => {
    expect(normalizeDomain(text, mainDomains)).toEqual({ refused });
  });

  test.each([
    'ftp://clinic.com',
    'http:clinic.com',
    'javascript:alert(1)',
    'user@clinic.com',
    'https://user:pass@clinic.com/',
    'clinic.com:0',
    'clinic.com:https',
    'clinic.com, other.com',
    'clinic.com other.com',
    'clinic .com',
    'clinic.com\\path',
    '*.clinic.com',
    'clinic..com',
    '.clinic.com',
    'clinic.com..',
    '-clinic.com',
    'clinic-.com',
    'clinic.123',
    '127.1',
    '0x7f000001',
    '2001:db8::1',
    'cli\u200bnic.com',
    'clinic%2ecom',
    `${'a'.repeat(64)}.com`,
    `${name253}d`,
  ])('%j is not a host name', (text) => {
    expect(normalizeDomain(text, mainDomains)).toEqual({ refused: malformed });
  });
});

test('very long text is refused immediately', () => {
  expect(normalizeDomain('a.'.repeat(500_000), mainDomains)).toEqual({ refused: malformed });
});

test('the providers table accepts every accepted domain', () => {
  const column = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;
  for (const text of ['https://www.MÜNCHEN.com/', '1clinic.com.', name253, 'a.b', 'clinic-2.com:443']) {
    const result = normalizeDomain(text, mainDomains);
    expect('domain' in result ? result.domain : result).toMatch(column);
  }
});
