import postgres from 'postgres';
import { describe, expect, test } from 'vitest';
import { addressGaps, findAddresses } from '#scripts/doctorAddresses.ts';
import { configGaps, driverGaps } from '#scripts/doctorGaps.ts';
import { sectionLines } from '#scripts/doctorReport.ts';
import { unusedFeatures } from '#scripts/doctorSettings.ts';
import { driverPatchMissing } from '#server/db/driverPatch.ts';
import { meets } from '#test/support/meets.ts';
import { documentedEnvironment, productionEnvironment } from './support/productionEnvironment.ts';
import { testPasswordHash } from './support/staff.ts';

const strongKey = productionEnvironment.SECRET_KEYS;

/** An environment that uses everything, and that nothing has to be said about. */
const sound: Record<string, string> = {
  ...documentedEnvironment,
  WORKER: 'inline',
  SECRET_KEYS: `${strongKey},${strongKey.split('').toReversed().join('')}`,
  DATABASE_URL: 'postgres://leads@db.example/leads?sslmode=verify-full',
  DATABASE_DIRECT_URL: '',
  SITE_ADDRESSES: '203.0.113.1',
  WORDPRESS_URL: 'https://cms.example',
  CRM_WEBHOOK_URL: 'https://crm.example/leads',
  CRM_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}`,
  INBOUND_MAIL_ADDRESS: 'stop@reply.example',
  INBOUND_MAIL_SECRET: `whsec_${'A'.repeat(32)}`,
};

/** As long as a busy machine needs. */
const patiently = (host: string) => findAddresses(host, 60_000);

/** No service whose address could be looked up. */
const noServices = { crm: null, smtpUrl: null, alertSmtp: null, wordpressUrl: null } as const;

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
  const crm = { kind: 'webhook', url, secret: 'whsec_x' } as const;
  const gaps = await addressGaps({ ...noServices, crm, production }, patiently);
  expect(gaps.map(({ text }) => text)).toEqual(texts);
});

test('each service whose host can’t be found is reported, without its address', async () => {
  const secret = 'pat-na1-token';
  const services = {
    production: true,
    crm: { kind: 'hubspot', url: 'https://hubspot.invalid', token: secret },
    smtpUrl: `smtp://user:${secret}@mail.invalid:587`,
    alertSmtp: { url: 'smtps://alerts.invalid', requiresTls: true },
    wordpressUrl: 'https://cms.invalid/blog',
  } as const;
  const gaps = await addressGaps(services, patiently);
  expect(gaps).toEqual(
    [
      "HUBSPOT_URL names a host that can't be found: its deliveries are retried, then held.",
      "SMTP_URL names a host that can't be found: email waits.",
      "ALERT_SMTP_URL names a host that can't be found: alerts reach nobody.",
      "WORDPRESS_URL names a host that can't be found: syncs fail.",
    ].map((text) => ({ text, isBlocking: false })),
  );
});

test('a mail server and WordPress may have private addresses', async () => {
  const own = { smtpUrl: 'smtp://10.0.0.5:587', wordpressUrl: 'http://[fd00::1]/' };
  expect(await addressGaps({ ...noServices, ...own, production: true })).toEqual([]);
});

test('a resolver that doesn’t answer isn’t waited for', async () => {
  // No process answers within a millisecond.
  const find = (host: string) => findAddresses(host, 1);
  const crm = { kind: 'hubspot', url: 'https://api.hubapi.com', token: 'pat-na1-token' } as const;
  const gaps = await addressGaps({ ...noServices, crm, production: true }, find);
  expect(gaps.map(({ text }) => text)).toEqual([
    "HUBSPOT_URL names a host that wasn't found in 5 seconds: its deliveries are retried, then held.",
  ]);
});

test('a host with one address that isn’t public among others is reported', async () => {
  const find = () => Promise.resolve(['93.184.215.14', '::ffff:10.0.0.1']);
  const crm = { kind: 'webhook', url: 'https://crm.example', secret: 'whsec_x' } as const;
  const gaps = await addressGaps({ ...noServices, crm, production: true }, find);
  expect(gaps.map(({ text }) => text)).toEqual([expect.stringContaining("an address that isn't public")]);
});

describe('of the environment', () => {
  test('each error that stops production is reported', () => {
    meets('D.names.47');
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
    meets('D.deliveries.18 D.abuse.39');
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
    ['MAIL_FROM_VISITORS', 'desk@services.example'],
  ])('%s=%s is not reported', (name, value) => {
    expect(configGaps({ ...sound, [name]: value })).toEqual([]);
  });

  test.each<[what: string, change: Record<string, string>, text: RegExp]>([
    ['another mode', { NODE_ENV: 'development' }, /^NODE_ENV isn't production/],
    ['no proxy', { TRUSTED_PROXIES: '0' }, /^TRUSTED_PROXIES is 0/],
    ['a host named by a proxy', { TRUST_FORWARDED_HOST: 'on' }, /^TRUST_FORWARDED_HOST is on/],
    ['an open port behind a proxy', { HOST: '' }, /^HOST isn't a loopback address/],
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
      'no sender for visitors',
      { MAIL_FROM_VISITORS: '' },
      /^MAIL_FROM_VISITORS isn't set: a visitor's locked/,
    ],
    ...['p long <a@b.example>', 'A <a@p-long.example>', 'Male Enhancement, Inc. <a@b.example>'].map(
      (sender): [string, Record<string, string>, RegExp] => [
        `the sender ${sender}`,
        { MAIL_FROM_VISITORS: sender },
        /^MAIL_FROM_VISITORS names the treatment/,
      ],
    ),
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
    ['a cheap hash', { ADMIN_PASSWORD_HASH: testPasswordHash }, /^ADMIN_PASSWORD_HASH costs/],
    ['a talkative log', { LOG_LEVEL: 'debug' }, /^LOG_LEVEL is debug/],
    ['a more talkative log', { LOG_LEVEL: 'trace' }, /^LOG_LEVEL is trace/],
    ['a silent log', { LOG_LEVEL: 'silent' }, /^LOG_LEVEL is silent/],
    ['sample data', { SAMPLE_DATA: 'on' }, /^SAMPLE_DATA is on/],
    ['no time for the load balancer', { SHUTDOWN_DELAY_SECONDS: '0' }, /^SHUTDOWN_DELAY_SECONDS is 0/],
    ['too long a stop', { SHUTDOWN_DELAY_SECONDS: '20' }, /^SHUTDOWN_DELAY_SECONDS is 20/],
    ['WordPress by http', { WORDPRESS_URL: 'http://cms.example' }, /^WORDPRESS_URL isn't https/],
    ['a geocoder by http', { GEOCODER_URL: 'http://geocoder.example/find' }, /^GEOCODER_URL isn't https/],
    ['a sync without a guard', { SYNC_DEACTIVATION_LIMIT: '100' }, /^SYNC_DEACTIVATION_LIMIT is 100/],
    ['a main domain on this machine', { MAIN_DOMAINS: 'localhost' }, /^MAIN_DOMAINS names this machine/],
  ])('doctor reports %s', (_, change, text) => {
    meets('D.abuse.39');
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

  test('the documented environment is no gap: what it lacks is one line', () => {
    expect(configGaps(documentedEnvironment)).toEqual([]);
    expect(unusedFeatures(documentedEnvironment)).toEqual([
      'Not used: WordPress (WORDPRESS_URL), a CRM (CRM_WEBHOOK_URL or HUBSPOT_TOKEN), withdrawal by a reply of STOP (INBOUND_MAIL_ADDRESS).',
    ]);
  });

  test('disabled features are listed until they are configured', () => {
    expect(unusedFeatures(sound)).toEqual([]);
    const { CRM_WEBHOOK_URL: _, ...others } = sound;
    expect(unusedFeatures(others)).toEqual(['Not used: a CRM (CRM_WEBHOOK_URL or HUBSPOT_TOKEN).']);
    expect(unusedFeatures({ ...others, HUBSPOT_TOKEN: 'pat-na1-token' })).toEqual([]);
  });
});

test('a driver without its patch is reported as an error', () => {
  expect(driverGaps(postgres)).toEqual([]);
  for (const driver of [{}, { lostConnectionPatch: 1 }])
    expect(driverGaps(driver)).toEqual([{ text: driverPatchMissing, isBlocking: true }]);
});

test('a section says what blocks, what is open, or that nothing is, then the notes', () => {
  const gaps = [
    { text: 'Open one.', isBlocking: false },
    { text: 'Blocking one.', isBlocking: true },
  ];
  expect(sectionLines('Brand', { gaps, notes: ['A choice.'] })).toEqual([
    '',
    'Brand',
    '  In the way of production:',
    '    - Blocking one.',
    '  Open:',
    '    - Open one.',
    '  A choice.',
  ]);
  expect(sectionLines('Brand', { gaps: [], notes: ['A choice.'] })).toEqual([
    '',
    'Brand',
    '  Nothing is open.',
    '  A choice.',
  ]);
});
