import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { brand } from '#shared/brand/brand.ts';
import { listFaults } from '#test/support/configFaults.ts';
import { meets } from '#test/support/meets.ts';
import { productionEnvironment as production } from '#test/support/productionEnvironment.ts';
import { parseConfig, publicConfig } from './config.ts';

test('nothing is required outside production', () => {
  meets('D.people.18 D.names.02 D.names.04 D.names.23');
  const defaults = { production: false, port: 3000, host: '127.0.0.1', sampleData: true };
  expect(parseConfig({})).toMatchObject(defaults);
});

test('all faults are listed together', () => {
  meets('D.names.47');
  const wrong = {
    NODE_ENV: 'prod',
    PORT: '99999',
    DATABASE_URL: 'mysql://x',
    MAIN_DOMAINS: 'https://brand.example',
    SITE_ADDRESSES: '203.0.113.1,brand.example',
    TRUSTED_PROXIES: 'true',
    SECRET_KEYS: 'short',
    MATCH_RADIUS_MILES: '0',
    RATE_LIMIT_LEADS: '5',
    SAMPLE_DATA: 'yes',
    MAP_TILES_URL: 'https://{s}.tiles.example/{z}/{x}/{y}.png',
    WORDPRESS_URL: 'https://cms.example/?p=1',
    WORDPRESS_TYPE: 'a/b',
    WORDPRESS_FIELDS: 'zip_code',
    SYNC_DEACTIVATION_LIMIT: '101',
    GEOCODER_URL: 'geocoder.example',
    CONTACT_EMAIL: 'nobody',
    STARTER_KIT_URL: 'javascript:alert(1)',
    GOOGLE_ADS_ID: 'G-12345',
    BING_ADS_ID: 'UET',
    OFFER_ENDS_AT: '2027-03-01T17:00:00',
    LOG_LEVEL: 'loud',
    METRICS_TOKEN: 'short',
    METRICS_PORT: '0',
    SMTP_URL: 'https://mail.example',
    INBOUND_MAIL_ADDRESS: 'unsubscribe@reply.example',
    INBOUND_MAIL_SECRET: 'secret',
    MAIL_FROM: 'Brand <hello@mail.example>, all@mail.example',
    MAIL_FROM_VISITORS: 'Brand <hello>',
  };
  expect(listFaults(wrong).toSorted()).toEqual(Object.keys(wrong).toSorted());
});

test.each([
  [undefined, { name: brand.plainName, address: 'desk@brand.example' }],
  ['hello@mail.example', { name: '', address: 'hello@mail.example' }],
  ['The Desk, Inc. <hello@mail.example>', { name: 'The Desk, Inc.', address: 'hello@mail.example' }],
  ['"The Desk, Inc." <hello@mail.example>', { name: 'The Desk, Inc.', address: 'hello@mail.example' }],
  ['"The Desk"<hello@mail.example>', { name: 'The Desk', address: 'hello@mail.example' }],
  [
    '"The \\"Desk\\" (west)" <hello@mail.example>',
    { name: 'The "Desk" (west)', address: 'hello@mail.example' },
  ],
  ['"a@b.example" <hello@mail.example>', { name: 'a@b.example', address: 'hello@mail.example' }],
  ['"" <hello@mail.example>', { name: '', address: 'hello@mail.example' }],
])('MAIL_FROM %s means %j', (text, address) => {
  expect(parseConfig({ MAIL_FROM: text, CONTACT_EMAIL: 'desk@brand.example' }).mailFrom).toEqual(address);
});

test('messages to visitors are from MAIL_FROM unless MAIL_FROM_VISITORS is set', () => {
  const MAIL_FROM = 'Brand <hello@mail.example>';
  const own = { name: 'Desk, Inc.', address: 'desk@desk.example' };
  const set = parseConfig({ MAIL_FROM, MAIL_FROM_VISITORS: '"Desk, Inc." <desk@desk.example>' });
  expect([set.mailFrom.name, set.mailFromVisitors]).toEqual(['Brand', own]);
  for (const MAIL_FROM_VISITORS of [undefined, '', '  ']) {
    const { mailFrom, mailFromVisitors } = parseConfig({ MAIL_FROM, MAIL_FROM_VISITORS });
    expect(mailFromVisitors).toEqual(mailFrom);
  }
});

test.each([
  ['smtp://mail.example:587', true],
  ['smtp://127.0.0.1.mail.example', true],
  ['smtp://10.0.0.2', true],
  ['smtp://LOCALHOST:1025', false],
  ['smtp://127.0.0.53', false],
  ['smtp://user:pass@[::1]:25', false],
])('production sends nothing to %s without TLS: %j', (url, isRequired) => {
  expect(parseConfig({ ...production, SMTP_URL: url }).smtpRequiresTls).toBe(isRequired);
  expect(parseConfig({ SMTP_URL: url }).smtpRequiresTls).toBe(false);
});

test.each([
  '<hello@mail.example',
  'Brand hello@mail.example',
  'Brand <hello>',
  'A\nBcc: b@c.example <a@b.example>',
  '"A\nBcc: b@c.example" <a@b.example>',
  '"Brand <hello@mail.example>',
  '"Brand" Inc <hello@mail.example>',
])('MAIL_FROM %j is a fault', (text) => {
  expect(listFaults({ MAIL_FROM: text })).toEqual(['MAIL_FROM']);
});

test('production does not start until TRUSTED_PROXIES is set; 0 is valid', () => {
  meets('D.names.12 D.names.13 D.abuse.37');
  expect(listFaults({ ...production, TRUSTED_PROXIES: '' })).toEqual(['TRUSTED_PROXIES']);
  expect(parseConfig({ ...production, TRUSTED_PROXIES: '0' }).trustedProxies).toBe(0);
  expect(parseConfig({}).trustedProxies).toBe(0);
});

test('TRUST_FORWARDED_HOST is off by default and needs a trusted proxy', () => {
  expect(parseConfig({ TRUSTED_PROXIES: '1' }).trustForwardedHost).toBe(false);
  const on = { TRUST_FORWARDED_HOST: 'on' };
  expect(parseConfig({ ...on, TRUSTED_PROXIES: '1' }).trustForwardedHost).toBe(true);
  for (const env of [on, { ...on, TRUSTED_PROXIES: '0' }])
    expect(listFaults(env)).toEqual(['TRUST_FORWARDED_HOST']);
});

test('production uses no public tile server by default', () => {
  meets('D.privacy.13 D.abuse.38');
  const listTiles = (env: Record<string, string>) => parseConfig({ ...production, ...env }).mapTilesUrl;
  expect(listTiles({})).toBeNull();
  expect(listTiles({ MAP_TILES_URL: 'https://tiles.example/{z}/{x}/{y}.png' })).toBe(
    'https://tiles.example/{z}/{x}/{y}.png',
  );
});

const documented = [
  '../../../README.md',
  '../../../docs/configuration.md',
  '../../../docs/operations.md',
  '../../../.env.example',
  '../../../deploy/.env.example',
  '../../../deploy/README.md',
]
  .flatMap((file) => [
    ...readFileSync(new URL(file, import.meta.url), 'utf8').matchAll(/SECRET_KEYS=["']?([^\s"']*)/g),
  ])
  .map(([, key = '']) => key);

test.each([
  'a'.repeat(64),
  'changeme'.repeat(8),
  'change-me-'.repeat(5),
  '0123456789abcdef'.repeat(4),
  'abcdefghijklmnopqrstuvwxyz0123456789',
  'a-secret-key-of-at-least-32-characters',
  'test-secret-key-test-secret-key-0001',
  'please-replace-this-with-a-random-key',
  ...documented,
])('production rejects the weak key "%s"', (key) => {
  expect(listFaults({ ...production, SECRET_KEYS: key })).toEqual(['SECRET_KEYS']);
});

test('one weak key among good ones is rejected', () => {
  meets('D.names.15');
  const keys = [production.SECRET_KEYS, 'changeme'.repeat(8)];
  expect(listFaults({ ...production, SECRET_KEYS: keys.join(',') })).toEqual(['SECRET_KEYS']);
});

test("the examples name a key's variable but contain no key", () => {
  expect(documented.length).toBeGreaterThan(1);
  expect(documented.filter((key) => key !== '')).toEqual([]);
});

test('every random key of 32 bytes is accepted, as hex and as base64url', () => {
  const randomKey = fc.noBias(fc.uint8Array({ minLength: 32, maxLength: 32 }));
  fc.assert(
    fc.property(randomKey, (bytes) => {
      for (const encoding of ['hex', 'base64url'] as const) {
        const key = Buffer.from(bytes).toString(encoding);
        expect(listFaults({ ...production, SECRET_KEYS: key })).toEqual([]);
      }
    }),
    { numRuns: 500 },
  );
});

test.each([
  [undefined, 'https://tile.openstreetmap.org/{z}/{x}/{y}.png'],
  ['off', null],
  [
    'http://127.0.0.1:8080/tiles/{z}/{x}/{y}.webp?key=1',
    'http://127.0.0.1:8080/tiles/{z}/{x}/{y}.webp?key=1',
  ],
])('map tiles configured as %s are %s', (text, expected) => {
  meets('P2.admin.70 D.privacy.11');
  expect(parseConfig(text === undefined ? {} : { MAP_TILES_URL: text }).mapTilesUrl).toBe(expected);
});

test.each(['on', 'https://tiles.example/', '/tiles/{z}/{x}/{y}.png', 'ftp://tiles.example/{z}/{x}/{y}.png'])(
  'map tiles at %s are refused',
  (text) => {
    expect(listFaults({ MAP_TILES_URL: text })).toEqual(['MAP_TILES_URL']);
  },
);

test('no fault contains a secret', () => {
  expect(() => parseConfig({ SECRET_KEYS: 'hunter2', DATABASE_URL: 'mysql://user:hunter3@host' })).toThrow(
    expect.objectContaining({ message: expect.not.stringMatching(/hunter/) }),
  );
});

test.each(Object.keys(production).filter((name) => name !== 'NODE_ENV'))(
  'production does not start without %s, nor with an empty one',
  (name) => {
    meets('D.copy.17 D.names.05 D.names.24 D.names.47');
    expect(parseConfig(production)).toMatchObject({ production: true, host: '0.0.0.0', sampleData: false });
    for (const nothing of ['', ' ', ',', ' , ']) {
      expect(listFaults({ ...production, [name]: nothing })).toContain(name);
    }
  },
);

test.each([
  ['WWW.Bücher.example.', 'xn--bcher-kva.example'],
  ['localhost', 'localhost'],
  ['[::1]', '[::1]'],
])('the main domain %s is %s', (typed, host) => {
  expect(parseConfig({ MAIN_DOMAINS: ` ${typed} ` }).mainDomains).toEqual([host]);
});

test.each([
  'brand.example:3000',
  '*.brand.example',
  'brand.example/path',
  'a b',
  'user@brand.example',
  '127.1',
  '[::1]:80',
])('the main domain %s is a fault: no request could match it', (typed) => {
  expect(listFaults({ MAIN_DOMAINS: `ok.example,${typed}` })).toEqual(['MAIN_DOMAINS']);
});

test("the site's own addresses are normalized, and anything else is a fault", () => {
  expect(
    parseConfig({ SITE_ADDRESSES: ' 203.0.113.1, 2001:DB8:0::1 ,::ffff:203.0.113.2' }).siteAddresses,
  ).toEqual(['203.0.113.1', '2001:db8::1', '203.0.113.2']);
  for (const wrong of ['127.1', '0x7f000001', '203.0.113.1:443', '[::1]', '203.0.113.0/24', 'localhost'])
    expect([wrong, listFaults({ SITE_ADDRESSES: wrong })]).toEqual([wrong, ['SITE_ADDRESSES']]);
});

test('the WordPress URL may have a path, but no query, user or other scheme', () => {
  expect(parseConfig({ WORDPRESS_URL: 'https://cms.example/blog' }).wordpressUrl).toBe(
    'https://cms.example/blog',
  );
  expect(JSON.stringify(publicConfig(parseConfig({ WORDPRESS_URL: 'https://cms.example' })))).not.toContain(
    'cms.example',
  );
  for (const wrong of [
    'cms.example',
    'ftp://cms.example',
    'https://cms.example/?page=1',
    'https://cms.example/#top',
    'https://user:secret@cms.example/',
  ])
    expect([wrong, listFaults({ WORDPRESS_URL: wrong })]).toEqual([wrong, ['WORDPRESS_URL']]);
});

test('a WordPress account needs both a user and an application password', () => {
  const login = { WORDPRESS_USER: 'sync', WORDPRESS_APP_PASSWORD: 'abcd efgh ijkl' };
  expect(parseConfig(login).wordpress.credentials).toEqual({ user: 'sync', appPassword: 'abcd efgh ijkl' });
  expect(parseConfig({}).wordpress.credentials).toBeNull();
  expect(listFaults({ WORDPRESS_USER: 'sync' })).toEqual(['WORDPRESS_APP_PASSWORD']);
  expect(listFaults({ WORDPRESS_APP_PASSWORD: 'abcd' })).toEqual(['WORDPRESS_USER']);
  expect(JSON.stringify(publicConfig(parseConfig(login)))).not.toContain('abcd');
});

test('the sync has a User-Agent of its own, or a configured one that a header can have', () => {
  expect(parseConfig({}).wordpress.userAgent).toBe('clinic-leads-sync');
  expect(parseConfig({ WORDPRESS_USER_AGENT: 'Clinics (sync)' }).wordpress.userAgent).toBe('Clinics (sync)');
  for (const wrong of ['a\nb: c', 'Klinik’s', 'x'.repeat(201)])
    expect([wrong, listFaults({ WORDPRESS_USER_AGENT: wrong })]).toEqual([wrong, ['WORDPRESS_USER_AGENT']]);
});

test('WordPress fields may be mapped; unknown fields and paths are faults', () => {
  const text = ' practice_name=acf.practice , zip_code=meta.location.zip-code';
  expect(parseConfig({ WORDPRESS_FIELDS: text }).wordpress.fields).toEqual({
    practice_name: 'acf.practice',
    zip_code: 'meta.location.zip-code',
  });
  for (const wrong of ['mpxapi=acf.key', 'wordpress_id=acf.id', 'name', 'name=', 'name=acf..x', 'name=a b'])
    expect([wrong, listFaults({ WORDPRESS_FIELDS: wrong })]).toEqual([wrong, ['WORDPRESS_FIELDS']]);
});

test('rate limits are parsed, and impossible windows are faults', () => {
  meets('D.names.21');
  expect(parseConfig({ RATE_LIMIT_LEADS: '5/1m, 20/1h' }).rateLimitLeads).toEqual([
    { points: 5, windowSeconds: 60 },
    { points: 20, windowSeconds: 3600 },
  ]);
  expect(parseConfig({ RATE_LIMIT_LEADS: 'off' }).rateLimitLeads).toEqual([]);
  for (const wrong of [
    '0/1m',
    '5/0m',
    '5',
    '5/1w',
    '5/32d',
    '5/9999999999d',
    '99999999999999999999/1m',
    '-1/1m',
    '5/1m,9/60s',
  ]) {
    expect([wrong, listFaults({ RATE_LIMIT_LEADS: wrong })]).toEqual([wrong, ['RATE_LIMIT_LEADS']]);
  }
  expect(listFaults({ RATE_LIMIT_LEADS: 'x,y' })).toHaveLength(2);
});

test('the offer ends at the same instant in any time zone', () => {
  const publicText = (text: string) => publicConfig(parseConfig({ OFFER_ENDS_AT: text })).offerEndsAt;
  expect(publicText('2027-03-01T18:00:00+01:00')).toBe('2027-03-01T17:00:00.000Z');
  expect(publicText('')).toBeNull();
});

test('.env.example names every variable and changes no default', () => {
  const example = parseEnv(readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8'));
  const read = ['environment.ts', 'oidc.ts'].flatMap((file) => [
    ...readFileSync(new URL(file, import.meta.url), 'utf8').matchAll(/^ {2}([A-Z_]+): /gm),
  ]);
  expect(Object.keys(example).toSorted()).toEqual(read.map(([, name = '']) => name).toSorted());
  // A copy of it with the values that production requires.
  expect(parseConfig({ ...example, ...production })).toEqual(parseConfig(production));
  expect(parseConfig(example)).toEqual(parseConfig({}));
});

test('public configuration has contacts and links but no secret', () => {
  const publicText = JSON.stringify(
    publicConfig(parseConfig({ ...production, DATABASE_URL: 'postgres://u:hunter2@h/d' })),
  );
  expect(publicText).toContain('https://brand.example');
  expect(publicText).not.toContain(production.SECRET_KEYS);
  expect(publicText).not.toContain('hunter2');
});
