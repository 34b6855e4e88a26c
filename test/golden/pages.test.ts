import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { meets } from '#test/support/meets.ts';
import { type GoldenRequest, goldenFile, goldenSite, type GoldenSite, mainHost } from './goldenSite.ts';
import { pageRequirements } from './pageRequirements.ts';

const themedHost = 'juniper.example.com';
const plainHost = 'birch.example.com';
const unknownHost = 'parked.example.net';

const opened = new AsyncDisposableStack();
let site: GoldenSite;
let configured: GoldenSite;

const settings = {
  GOOGLE_ADS_ID: 'AW-8172635411/BrAnD',
  BING_ADS_ID: '8172635422',
  MAP_TILES_URL: 'https://tiles.example.com/{z}/{x}/{y}.png',
  CONTACT_EMAIL: 'contact@brand.example',
  CONTACT_PHONE: '(555) 555-0123',
  LEGAL_POSTAL_ADDRESS: '7 Configured Road, Aspen, CO 81611',
  LEGAL_ARBITRATION_PLACE: 'Aspen, Colorado',
  PROVIDER_SIGNUP_URL: 'https://signup.example.com/apply',
  STARTER_KIT_URL: 'https://kit.example.com/order',
  OFFER_ENDS_AT: '2026-03-03T12:30:00Z',
};

/** The same providers, with other settings. */
async function siteWith(env: Record<string, string>): Promise<GoldenSite> {
  return opened.use(await goldenSite({ env, database: site.database }));
}

beforeAll(async () => {
  site = opened.use(await goldenSite());
  configured = await siteWith(settings);
});

afterAll(() => opened.disposeAsync());

/** One page of each shape. The outlines below hold what differs on other hosts, with other records and settings. */
describe('the page matches its golden file', () => {
  test.each([
    ['home', '/'],
    ['homev2', '/homev2'],
    ['microsite', '/microsite?providerId=101'],
    ['microsite-hostile-record', '/microsite?providerId=103'],
    ['provider-not-found', '/microsite?providerId=999999'],
    ['map', '/map'],
    ['clinics', '/clinics'],
    ['start', '/start'],
    ['find', '/find'],
    ['study', '/study'],
    ['privacy', '/privacy'],
    ['terms', '/terms'],
    ['refunds', '/refunds'],
    ['success-provider', '/success?providerId=104'],
    ['success-no-provider', '/success?noProvider=true'],
    ['not-found', '/no-such-page'],
  ])('main-%s', async (file, path) => {
    meets(pageRequirements[file] ?? '');
    await expect(await site.page(path)).toMatchFileSnapshot(goldenFile(`main-${file}`));
  });

  test('themed-map, on the host of a provider with hue, logo and ad ids', async () => {
    await expect(await site.page('/map', { host: themedHost })).toMatchFileSnapshot(goldenFile('themed-map'));
  });

  test('ad-frame-main-provider', async () => {
    meets('D.hosts.31');
    const frame = await configured.page('/ads/conversion/101', { headers: framed });
    await expect(frame).toMatchFileSnapshot(goldenFile('ad-frame-main-provider'));
  });
});

const brandPaths = [
  ...[
    '/map',
    '/providers',
    '/providers/co/denver',
    '/clinics',
    '/clinics?applied=true',
    '/start',
    '/find',
    '/homev2',
    '/privacy',
    '/terms',
    '/refunds',
  ],
  ...['/success?providerId=104', '/success?noProvider=true', '/success', '/success?providerId=999999'],
  ...['/no-such-page', '/admin'],
];

/** The response to each request as an outline, in the order of the requests. */
async function outlines(
  of: GoldenSite,
  requests: readonly (readonly [path: string, request?: GoldenRequest])[],
) {
  const printed: string[] = [];
  for (const [path, request] of requests) printed.push(await of.outline(path, request));
  return printed.join('\n');
}

const framed = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' };

describe('what other sites and crawlers see of each page matches its golden file', () => {
  test('on the main host', async () => {
    meets('D.hosts.16 D.admin.02 D.conformity.12 P2.routes.03 P2.routes.27');
    const paths = [
      ...['/', '/?providerId=101', '/microsite?providerId=101', '/microsite?providerId=102'],
      ...[
        '/microsite?providerId=103',
        '/microsite?providerId=999999',
        '/?providerId=105',
        '/?providerId=abc',
      ],
      ...[
        '/microsite',
        '/getmpx',
        '/terms/?a=1',
        '/success/?providerId=101',
        '//elsewhere.example/',
        '/%E0%A4%A',
      ],
      ...brandPaths,
    ];
    const requests = paths.map((path) => [path] as const);
    const text = await outlines(site, [...requests, ['/', { method: 'DELETE' }]]);
    await expect(text).toMatchFileSnapshot(goldenFile('outlines-main', 'txt'));
  });

  test('on hosts of providers, with and without hue, logo and ad ids', async () => {
    meets(`
      D.hosts.21 D.hosts.26 D.hosts.27 D.hosts.28 D.hosts.29 D.hosts.33 D.hosts.34 D.hosts.47
      D.hosts.50 D.conformity.14 D.conformity.15 D.conformity.16 D.conformity.24 D.conformity.25
      P1.site.01 P2.routes.02 P2.routes.05 P2.routes.12 P2.frame.01 P2.frame.02 P2.frame.03
      P2.frame.04 P2.nav.12 P2.success.18 P2.micro.17
    `);
    const themed = ['/', '/?providerId=104', '/microsite', ...brandPaths];
    const plain = ['/', '/clinics', '/success', '/no-such-page'];
    const text = await outlines(site, [
      ...themed.map((path) => [path, { host: themedHost }] as const),
      ...plain.map((path) => [path, { host: plainHost }] as const),
    ]);
    await expect(text).toMatchFileSnapshot(goldenFile('outlines-tenants', 'txt'));
  });

  test('with every public setting', async () => {
    meets('P2.success.22 P2.map.03');
    const paths = [
      '/',
      '/map',
      '/clinics',
      '/success?providerId=104',
      '/success?noProvider=true',
      '/privacy',
    ];
    const frames = [
      ...['/ads/conversion', '/ads/conversion/101', '/ads/conversion/103', '/ads/conversion/104'].map(
        (path) => [path, {}] as const,
      ),
      ...[themedHost, plainHost, unknownHost].map((host) => ['/ads/conversion', { host }] as const),
    ].map(([path, request]) => [path, { ...request, headers: framed }] as const);
    const text = await outlines(configured, [
      ...paths.map((path) => [path] as const),
      ...frames,
      ['/ads/conversion', {}],
      ['/ads/conversion', { headers: { ...framed, 'sec-gpc': '1' } }],
    ]);
    await expect(text).toMatchFileSnapshot(goldenFile('outlines-configured', 'txt'));
  });
});

/** The page without the comment that states the request. */
async function buildBody(of: GoldenSite, path: string, host = mainHost): Promise<string> {
  const page = await of.page(path, { host });
  return page.slice(page.indexOf('-->'));
}

test.each([
  ['/', '/'],
  ['/?providerId=101', '/'],
  ['/microsite?providerId=101', '/microsite?providerId=999999'],
  ['/success?providerId=104', '/success?providerId=104'],
  ['/map', '/map'],
  ['/no-such-page', '/no-such-page'],
  ['/admin', '/no-such-page'],
])('a host that belongs to nobody responds to %s as the main host to %s', async (path, same) => {
  meets('D.hosts.12');
  expect(await buildBody(site, path, unknownHost)).toBe(await buildBody(site, same));
});

test.each(['/microsite', '/?providerId=104'])(
  'the host of a provider responds to %s with its own microsite',
  async (path) => {
    expect(await buildBody(site, path, themedHost)).toBe(await buildBody(site, '/', themedHost));
  },
);

test.each(['/microsite', '/?providerId=105', '/?providerId=abc'])(
  'without an active provider, %s is the page of a missing provider',
  async (path) => {
    meets('P2.micro.03 P2.micro.04 P2.micro.05');
    expect(await buildBody(site, path)).toBe(await buildBody(site, '/microsite?providerId=999999'));
  },
);

test('a tenant shows its logo or else its name, and its image on the confirmation', async () => {
  meets('P1.site.02 P2.success.12');
  expect(await buildBody(site, '/', themedHost)).toMatch(
    /<header[^]*<img alt="Juniper Street Clinic" src="\/media\/logo\/101/,
  );
  expect(await buildBody(site, '/', plainHost)).toMatch(/<header[^]*Birch Hollow Clinic[^]*<\/header>/);
  expect(await buildBody(site, '/success', themedHost)).toContain('src="/media/image/101');
});

test('a missing practice name, financing or provider changes what the page says', async () => {
  meets('P8.error.17 P2.success.20 P2.micro.12 P2.micro.14 P2.micro.19');
  const bare = await buildBody(site, '/microsite?providerId=102');
  expect(bare).toContain('Find Out If You Qualify Now:');
  const form = await site.leadForm('/microsite?providerId=102');
  expect(form).toContain('By checking the box you agree that Birch Hollow Clinic may contact you');
  expect(bare).not.toContain('payment-plans');
  expect(await buildBody(site, '/success?providerId=999999')).toContain(
    'Provider information not available.',
  );
});

test.each(['/privacy', '/terms', '/refunds'])(
  '%s names the configured company and contacts',
  async (path) => {
    meets(`
    P2.footer.14 P2.footer.15 P2.policy.13 P2.policy.17 P2.policy.18 P2.policy.19 P2.policy.20
    P2.policy.21 P2.policy.22 P2.policy.23 P2.policy.24 P2.policy.25
  `);
    const page = await buildBody(configured, path);
    for (const shown of [settings.CONTACT_EMAIL, settings.CONTACT_PHONE, settings.LEGAL_POSTAL_ADDRESS])
      expect(page).toContain(shown);
    expect(page).not.toMatch(/hello@example|010-0100|100 Example Street/);
  },
);

test('configured links, places and the end of the offer are on the pages', async () => {
  expect(await buildBody(configured, '/terms')).toContain(settings.LEGAL_ARBITRATION_PLACE);
  expect(await buildBody(configured, '/')).toContain(settings.LEGAL_POSTAL_ADDRESS);
  const offer = await buildBody(configured, '/clinics');
  expect(offer).toContain('<time dateTime="2026-03-03T12:30:00.000Z">\nMarch 3, 2026, 12:30 UTC\n');
  const over = await siteWith({ OFFER_ENDS_AT: '2026-03-01T10:00:00Z' });
  expect(await buildBody(over, '/clinics')).not.toContain('special-offer-title');
  expect(await buildBody(over, '/clinics?applied=true')).not.toContain('data-application-form');
});

test('files for crawlers and browsers match their golden file on each host', async () => {
  const printed: string[] = [];
  for (const host of [mainHost, themedHost, plainHost, unknownHost])
    for (const path of ['/robots.txt', '/sitemap.xml', '/.well-known/gpc.json', '/favicon.svg'])
      printed.push(await site.text(path, { host }));
  await expect(printed.join('\n')).toMatchFileSnapshot(goldenFile('site-files', 'txt'));
});

test('all headers of each kind of response match their golden file', async () => {
  const https = { 'x-forwarded-proto': 'https' };
  const { headers } = await site.ask('/');
  const requests: [path: string, request: GoldenRequest][] = [
    ['/', {}],
    ['/', { headers: https }],
    ['/', { method: 'HEAD' }],
    ['/', { headers: { 'accept-encoding': 'gzip' } }],
    ['/', { headers: { 'sec-gpc': '1' } }],
    ['/', { headers: { 'if-none-match': String(headers.etag) } }],
    ['/', { host: themedHost, headers: https }],
    ['/', { host: 'not a host' }],
    ['/map', { headers: https }],
    ['/success?noProvider=true', {}],
    ['/no-such-page', { headers: https }],
    ['/admin', {}],
    ['/admin', { headers: https }],
    ['/robots.txt', {}],
    ['/favicon.svg', {}],
    ['/terms/', {}],
    ['/withdraw/unknown', { headers: https }],
    ['/og/unknown.png', {}],
    ['/assets/none.js', {}],
  ];
  const printed: string[] = [];
  for (const [path, request] of requests) printed.push(await site.headers(path, request));
  await expect(printed.join('\n')).toMatchFileSnapshot(goldenFile('headers', 'txt'));
});
