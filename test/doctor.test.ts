import postgres from 'postgres';
import { describe, expect, test } from 'vitest';
import {
  brandGaps,
  collationGaps,
  configGaps,
  crmGaps,
  databaseGaps,
  driverGaps,
  keyGaps,
  readCollationGaps,
  roleGaps,
} from '#scripts/doctorGaps.ts';
import { connect } from '#server/db/connect.ts';
import { driverPatchMissing } from '#server/db/driverPatch.ts';
import { prepareDatabase } from '#server/prepareDatabase.ts';
import { claims } from '#shared/brand/claims.ts';
import { explainerVideo, financingPartners, pressLogos, testimonial } from '#shared/brand/placeholders.ts';
import { insertProvider } from './support/factories.ts';
import { productionEnvironment } from './support/productionEnvironment.ts';
import { testPasswordHash } from './support/staff.ts';
import { testDb } from './support/testDb.ts';
import { twoRoles } from './support/twoRoles.ts';
import { testDataKeys, testSecret } from './support/testKeys.ts';

const strongKey = productionEnvironment.SECRET_KEYS;

/** An environment that nothing has to be said about. */
const sound: Record<string, string> = {
  ...productionEnvironment,
  SECRET_KEYS: `${strongKey},${strongKey.split('').toReversed().join('')}`,
  TRUSTED_PROXIES: '1',
  HOST: '127.0.0.1',
  DATABASE_URL: 'postgres://leads@db.example/leads?sslmode=verify-full',
  ADMIN_PASSWORD_HASH: `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`,
  SITE_ADDRESSES: '203.0.113.1',
  WORDPRESS_URL: 'https://cms.example',
  SMTP_URL: 'smtp://mail.example:587',
  METRICS_TOKEN: 'a-token-of-enough-length',
  LEDGER_URL: 'file:///var/lib/ledger/ledger.jsonl',
  CRM_WEBHOOK_URL: 'https://crm.example/leads',
  CRM_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}`,
  INBOUND_MAIL_ADDRESS: 'stop@reply.example',
  INBOUND_MAIL_SECRET: `whsec_${'A'.repeat(32)}`,
};

test.each([
  [
    'a loopback address, in production',
    'http://127.0.0.1:3001/crm',
    true,
    ["CRM_WEBHOOK_URL leads to an address that isn't public: its deliveries are held."],
  ],
  [
    'a name of this machine, in production',
    'http://localhost:3001/crm',
    true,
    ["CRM_WEBHOOK_URL leads to an address that isn't public: its deliveries are held."],
  ],
  [
    'a private network',
    'https://10.0.0.1/crm',
    false,
    ["CRM_WEBHOOK_URL leads to an address that isn't public: its deliveries are held."],
  ],
  [
    'a private network of IPv6',
    'https://[fd00::1]/crm',
    false,
    ["CRM_WEBHOOK_URL leads to an address that isn't public: its deliveries are held."],
  ],
  [
    'a name that doesn’t exist',
    'https://crm.invalid/leads',
    true,
    ["CRM_WEBHOOK_URL names a host that can't be found: its deliveries are retried, then held."],
  ],
  ['a public address', 'https://93.184.215.14/crm', true, []],
  ['this machine, in development', 'http://127.0.0.1:3001/crm', false, []],
] as const)('a CRM at %s', async (_, url, production, texts) => {
  const gaps = await crmGaps({ crm: { kind: 'webhook', url, secret: 'whsec_x' }, production });
  expect(gaps.map(({ text }) => text)).toEqual(texts);
});

describe('of the environment', () => {
  test('each error that stops production is reported', () => {
    const blocking = configGaps({ PORT: 'x' }).filter(({ isBlocking }) => isBlocking);
    expect(blocking.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('PORT:'),
        'SECRET_KEYS: must be set in production',
        'LEGAL_ARBITRATION_PLACE: must be set in production',
      ]),
    );
  });

  test('no value is printed', () => {
    const key = 'a-secret-that-is-too-short';
    expect(JSON.stringify(configGaps({ SECRET_KEYS: key }))).not.toContain(key);
  });

  test('an environment that is ready for production has no report', () => {
    expect(configGaps(sound)).toEqual([]);
  });

  test.each<[what: string, change: Record<string, string>, text: RegExp]>([
    ['no count of proxies', { TRUSTED_PROXIES: '' }, /^TRUSTED_PROXIES: must be set/],
    ['a weak key', { SECRET_KEYS: `${strongKey},${'changeme'.repeat(8)}` }, /^SECRET_KEYS: /],
    ['a public database without TLS', { DATABASE_URL: 'postgres://db.example/leads' }, /^DATABASE_URL: /],
    ['a CRM by http', { CRM_WEBHOOK_URL: 'http://crm.example' }, /^CRM_WEBHOOK_URL: must be https/],
    ['HubSpot by http', { HUBSPOT_URL: 'http://hubspot.example' }, /^HUBSPOT_URL: must be https/],
  ])('startup refuses %s, and doctor reports it', (_, change, text) => {
    expect(configGaps({ ...sound, ...change })).toEqual([
      { isBlocking: true, text: expect.stringMatching(text) },
    ]);
  });

  test.each([
    ['RATE_LIMIT_LEADS', '5000/1d,1000/1h'],
    // The strictest window counts.
    ['RATE_LIMIT_LEADS', '900/1s,20/1h'],
    ['LEAD_EMAILS_PER_HOUR', '10000'],
    ['NODE_TLS_REJECT_UNAUTHORIZED', '1'],
    ['METRICS_TOKEN', '5f0c9be1d2a748362b7e1d90c4fa8356'],
    ['SMTP_URL', 'smtp://mail.example?tls.rejectUnauthorized=true'],
  ])('%s=%s is not reported', (name, value) => {
    expect(configGaps({ ...sound, [name]: value })).toEqual([]);
  });

  test.each<[what: string, change: Record<string, string>, text: RegExp]>([
    ['another mode', { NODE_ENV: 'development' }, /^NODE_ENV isn't production/],
    ['no proxy', { TRUSTED_PROXIES: '0' }, /^TRUSTED_PROXIES is 0/],
    ['a host named by a proxy', { TRUST_FORWARDED_HOST: 'on' }, /^TRUST_FORWARDED_HOST is on/],
    ['an open port behind a proxy', { HOST: '' }, /^HOST isn't a loopback address/],
    ['one key', { SECRET_KEYS: strongKey }, /^SECRET_KEYS holds one key/],
    ['the embedded database', { DATABASE_URL: '' }, /^DATABASE_URL isn't set/],
    [
      'a private database without TLS',
      { DATABASE_URL: 'postgres://10.0.0.2/leads' },
      /^DATABASE_URL doesn't ask for TLS/,
    ],
    [
      'a database not verified',
      { DATABASE_URL: 'postgres://db.example/leads?sslmode=require' },
      /^DATABASE_URL verifies no certificate/,
    ],
    ['no limit of leads', { RATE_LIMIT_LEADS: 'off' }, /^RATE_LIMIT_LEADS is off/],
    ['a limit that is none', { RATE_LIMIT_LEADS: '100/1m,1001/1h' }, /^RATE_LIMIT_LEADS lets one network/],
    ['a ceiling that is none', { LEAD_EMAILS_PER_HOUR: '10001' }, /^LEAD_EMAILS_PER_HOUR is above/],
    ['no TLS verified', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }, /^NODE_TLS_REJECT_UNAUTHORIZED is 0/],
    [
      'public tiles',
      { MAP_TILES_URL: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png' },
      /^MAP_TILES_URL names the public OpenStreetMap/,
    ],
    [
      'tiles by http',
      { MAP_TILES_URL: 'http://tiles.example/{z}/{x}/{y}.png' },
      /^MAP_TILES_URL isn't https/,
    ],
    ['no ledger', { LEDGER_URL: '' }, /^LEDGER_URL isn't set: after a restored backup/],
    ['no token for metrics', { METRICS_TOKEN: '' }, /^METRICS_TOKEN isn't set: GET \/metrics answers nobody/],
    ['a token that repeats', { METRICS_TOKEN: 'metrics'.repeat(6) }, /^METRICS_TOKEN can be guessed/],
    ['no mail server', { SMTP_URL: '' }, /^SMTP_URL isn't set/],
    [
      'no address for STOP',
      { INBOUND_MAIL_ADDRESS: '', INBOUND_MAIL_SECRET: '' },
      /^INBOUND_MAIL_ADDRESS isn't set/,
    ],
    [
      'a mail server without TLS',
      { SMTP_URL: 'smtp://mail.example?requireTLS=false' },
      /^SMTP_URL says requireTLS=false/,
    ],
    [
      'a mail server not verified',
      { SMTP_URL: 'smtp://mail.example?tls.rejectUnauthorized=false' },
      /^SMTP_URL says tls\.rejectUnauthorized=false/,
    ],
    ['no shared password', { ADMIN_PASSWORD_HASH: '' }, /^ADMIN_PASSWORD_HASH isn't set/],
    ['a cheap hash', { ADMIN_PASSWORD_HASH: testPasswordHash }, /^ADMIN_PASSWORD_HASH costs/],
    ['a talkative log', { LOG_LEVEL: 'debug' }, /^LOG_LEVEL is debug/],
    ['a more talkative log', { LOG_LEVEL: 'trace' }, /^LOG_LEVEL is trace/],
    ['a silent log', { LOG_LEVEL: 'silent' }, /^LOG_LEVEL is silent/],
    ['sample data', { SAMPLE_DATA: 'on' }, /^SAMPLE_DATA is on/],
    ['no time for the load balancer', { SHUTDOWN_DELAY_SECONDS: '0' }, /^SHUTDOWN_DELAY_SECONDS is 0/],
    ['too long a stop', { SHUTDOWN_DELAY_SECONDS: '20' }, /^SHUTDOWN_DELAY_SECONDS is 20/],
    ['no worker inside', { WORKER: 'off' }, /^WORKER is off/],
    ['no CRM', { CRM_WEBHOOK_URL: '', CRM_WEBHOOK_SECRET: '' }, /^Neither CRM_WEBHOOK_URL nor/],
    ['WordPress by http', { WORDPRESS_URL: 'http://cms.example' }, /^WORDPRESS_URL isn't https/],
    ['a geocoder by http', { GEOCODER_URL: 'http://geocoder.example/find' }, /^GEOCODER_URL isn't https/],
    ['a sync without a guard', { SYNC_DEACTIVATION_LIMIT: '100' }, /^SYNC_DEACTIVATION_LIMIT is 100/],
    ['a main domain on this machine', { MAIN_DOMAINS: 'localhost' }, /^MAIN_DOMAINS names this machine/],
  ])('doctor reports %s', (_, change, text) => {
    expect(configGaps({ ...sound, ...change })).toEqual([
      { isBlocking: false, text: expect.stringMatching(text) },
    ]);
  });

  test('a forwarded host without a proxy stops the start', () => {
    const gaps = configGaps({ ...sound, TRUSTED_PROXIES: '0', TRUST_FORWARDED_HOST: 'on' });
    expect(gaps.filter(({ isBlocking }) => isBlocking).map(({ text }) => text)).toEqual([
      expect.stringMatching(/^TRUST_FORWARDED_HOST: needs TRUSTED_PROXIES/),
    ]);
  });

  test('disabled features are reported until they are configured', () => {
    const warned = (env: Record<string, string>): boolean =>
      configGaps(env).some(({ text }) => text.startsWith('WORDPRESS_URL'));
    expect(warned({})).toBe(true);
    expect(warned({ WORDPRESS_URL: 'https://cms.example' })).toBe(false);
  });
});

test('a driver without its patch is reported as an error', () => {
  expect(driverGaps(postgres)).toEqual([]);
  for (const driver of [{}, { lostConnectionPatch: 1 }])
    expect(driverGaps(driver)).toEqual([{ text: driverPatchMissing, isBlocking: true }]);
});

test('every unproven claim and every empty entry of the brand is named', () => {
  const texts = brandGaps().map(({ text }) => text);
  expect(claims.length).toBeGreaterThan(0);
  for (const { id, substantiation } of claims)
    expect(texts.some((text) => text.startsWith(`The claim ${id} (`))).toBe(substantiation === null);
  expect(pressLogos).toHaveLength(8);
  expect(financingPartners).toHaveLength(2);
  for (const { id, name, logoUrl } of [...pressLogos, ...financingPartners])
    expect(texts.includes(`The brand's entry ${id} has no name and logo, so it isn't shown.`)).toBe(
      name === null || logoUrl === null,
    );
  expect(texts.some((text) => /no explainer video/.test(text))).toBe(explainerVideo === null);
  expect(texts.some((text) => /no testimonial/.test(text))).toBe(testimonial === null);
});

test('providers without a location or without coordinates are counted', async () => {
  await using database = await testDb();
  const { db } = database;
  expect((await databaseGaps(db)).map(({ text }) => text)).toEqual([
    'No provider is active: every lead stays unmatched.',
  ]);
  await insertProvider(db, { zipCode: '80202', latitude: null, longitude: null });
  await insertProvider(db, { zipCode: '00000', latitude: null, longitude: null });
  await insertProvider(db, { zipCode: '80202', latitude: 39.7, longitude: -104.9 });
  await insertProvider(db, { zipCode: '80202', latitude: null, longitude: null, status: 'f' });
  expect((await databaseGaps(db)).map(({ text }) => text)).toEqual([
    "1 active providers can't be placed, so no lead is matched with them by distance.",
    "1 active providers are placed at the center of their ZIP area and aren't shown on maps.",
  ]);
});

test('a role that is a superuser or owns the tables is reported', async () => {
  await using roles = await twoRoles();
  await prepareDatabase({ url: roles.appUrl, ownerUrl: roles.ownerUrl });
  const textsOf = async (url: string): Promise<string[]> => {
    const { db, close } = connect(url, { applicationName: 'test', max: 1 });
    const gaps = await roleGaps(db);
    await close();
    return gaps.map(({ text }) => text);
  };
  expect(await textsOf(roles.database.url)).toEqual([expect.stringContaining('is a superuser')]);
  expect(await textsOf(roles.ownerUrl)).toEqual([expect.stringContaining('owns the tables')]);
  expect(await textsOf(roles.appUrl)).toEqual([]);
});

test('a database key that no secret opens is an error, and none is created', async () => {
  await using database = await testDb();
  const { db, sql } = database;
  expect(await keyGaps(db, [testSecret])).toEqual([]);
  expect(await sql`select 1 from data_keys`).toHaveLength(0);
  await testDataKeys(database).current('identity');
  expect(await keyGaps(db, [testSecret])).toEqual([]);
  expect(await keyGaps(db, ['another-secret-another-secret-0001'])).toEqual([
    { text: expect.stringContaining("opens the database's key identity-1"), isBlocking: true },
  ]);
});

test('another version of the collation than the indexes were built with is reported', async () => {
  const name = 'leads';
  expect(collationGaps({ name, stored: '2.36', actual: '2.41' })).toEqual([
    {
      text: 'Indexes of text were built with version 2.36 of the collation, and Postgres now runs with 2.41: they may miss rows and accept duplicates. Run "reindex database leads", then "alter database leads refresh collation version".',
      isBlocking: false,
    },
  ]);
  for (const same of ['2.41', null]) expect(collationGaps({ name, stored: same, actual: same })).toEqual([]);
  expect(collationGaps({ name, stored: null, actual: '2.41' })).toEqual([]);
  await using database = await testDb();
  expect(await readCollationGaps(database.db)).toEqual([]);
});
