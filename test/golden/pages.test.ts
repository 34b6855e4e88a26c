import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { golden, goldenSite, type GoldenSite, mainHost } from './goldenSite.ts';
import { normalizeBoot } from './normalizeHtml.ts';

const themedHost = 'juniper.example.com';
const plainHost = 'birch.example.com';
const unknownHost = 'parked.example.net';

type Case = [file: string, path: string];

const opened = new AsyncDisposableStack();
let site: GoldenSite;

beforeAll(async () => {
  site = opened.use(await goldenSite());
});

afterAll(() => opened.disposeAsync());

/** The same providers, with other settings. */
async function siteWith(env: Record<string, string>): Promise<GoldenSite> {
  return opened.use(await goldenSite({ env, database: site.database }));
}

const brandPages: Case[] = [
  ['map', '/map'],
  ['clinics', '/clinics'],
  ['clinics-applied', '/clinics?applied=true'],
  ['start', '/start'],
  ['find', '/find'],
  ['homev2', '/homev2'],
  ['privacy', '/privacy'],
  ['terms', '/terms'],
  ['refunds', '/refunds'],
  ['success-provider', '/success?providerId=104'],
  ['success-no-provider', '/success?noProvider=true'],
  ['success-bare', '/success'],
  ['success-unknown-provider', '/success?providerId=999999'],
  ['not-found', '/no-such-page'],
  ['admin', '/admin'],
];

describe('the page matches its golden file', () => {
  test.each<Case>([
    ['home', '/'],
    ['home-provider', '/?providerId=101'],
    ['microsite', '/microsite?providerId=101'],
    ['microsite-bare-record', '/microsite?providerId=102'],
    ['microsite-hostile-record', '/microsite?providerId=103'],
    ['provider-not-found', '/microsite?providerId=999999'],
    ['provider-not-found-inactive', '/?providerId=105'],
    ['provider-not-found-malformed', '/?providerId=abc'],
    ['provider-not-found-bare', '/microsite'],
    ['admin-second-path', '/getmpx'],
    ['redirect', '/terms/?a=1'],
    ['redirect-success', '/success/?providerId=101'],
    ['foreign-path', '//elsewhere.example/'],
    ['malformed-path', '/%E0%A4%A'],
    ...brandPages,
  ])('main-%s', async (file, path) => {
    await expect(await site.page(path)).toMatchFileSnapshot(golden(`main-${file}`));
  });

  test.each<Case>([
    ['home', '/'],
    ['home-foreign-provider', '/?providerId=104'],
    ['microsite', '/microsite'],
    ...brandPages,
  ])('themed-%s, on the host of a provider with hue, logo and ad ids', async (file, path) => {
    await expect(await site.page(path, { host: themedHost })).toMatchFileSnapshot(golden(`themed-${file}`));
  });

  test.each([
    ['home', '/'],
    ['clinics', '/clinics'],
    ['success', '/success'],
    ['not-found', '/no-such-page'],
  ])('plain-%s, on the host of a provider without hue, logo and ad ids', async (file, path) => {
    await expect(await site.page(path, { host: plainHost })).toMatchFileSnapshot(golden(`plain-${file}`));
  });

  test.each([
    ['home', '/'],
    ['home-provider', '/?providerId=101'],
    ['microsite', '/microsite?providerId=101'],
    ['success-provider', '/success?providerId=104'],
    ['map', '/map'],
    ['not-found', '/no-such-page'],
    ['admin', '/admin'],
  ])('unknown-%s, on a host that belongs to nobody', async (file, path) => {
    await expect(await site.page(path, { host: unknownHost })).toMatchFileSnapshot(golden(`unknown-${file}`));
  });

  test('main-other-method', async () => {
    await expect(await site.page('/', { method: 'DELETE' })).toMatchFileSnapshot(golden('main-other-method'));
  });
});

describe('with every public setting, the page matches its golden file', () => {
  let configured: GoldenSite;

  beforeAll(async () => {
    configured = await siteWith({
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
    });
  });

  test.each([
    ['home', '/'],
    ['map', '/map'],
    ['clinics', '/clinics'],
    ['clinics-applied', '/clinics?applied=true'],
    ['success-provider', '/success?providerId=104'],
    ['success-no-provider', '/success?noProvider=true'],
    ['privacy', '/privacy'],
    ['terms', '/terms'],
    ['refunds', '/refunds'],
  ])('configured-%s', async (file, path) => {
    await expect(await configured.page(path)).toMatchFileSnapshot(golden(`configured-${file}`));
  });

  test('configured-clinics-offer-over', async () => {
    const over = await siteWith({ OFFER_ENDS_AT: '2026-03-01T10:00:00Z' });
    await expect(await over.page('/clinics')).toMatchFileSnapshot(golden('configured-clinics-offer-over'));
  });

  const framed = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' };

  test.each([
    ['main', '/ads/conversion', {}],
    ['main-provider', '/ads/conversion/101', {}],
    ['main-provider-microsoft', '/ads/conversion/103', {}],
    ['main-provider-without-ids', '/ads/conversion/104', {}],
    ['themed', '/ads/conversion', { host: themedHost }],
    ['plain', '/ads/conversion', { host: plainHost }],
    ['unknown', '/ads/conversion', { host: unknownHost }],
  ])('ad-frame-%s', async (file, path, request) => {
    await expect(await configured.page(path, { ...request, headers: framed })).toMatchFileSnapshot(
      golden(`ad-frame-${file}`),
    );
  });

  test('ad-frame-refused, outside a page and to a browser that opts out', async () => {
    await expect(await configured.page('/ads/conversion')).toMatchFileSnapshot(
      golden('ad-frame-refused-outside'),
    );
    await expect(
      await configured.page('/ads/conversion', {
        headers: { ...framed, 'sec-gpc': '1' },
      }),
    ).toMatchFileSnapshot(golden('ad-frame-refused-opt-out'));
    await expect(await site.page('/ads/conversion', { headers: framed })).toMatchFileSnapshot(
      golden('ad-frame-refused-unconfigured'),
    );
  });
});

test.each([
  ['main', mainHost],
  ['themed', themedHost],
  ['plain', plainHost],
  ['unknown', unknownHost],
])('files for crawlers and browsers on the %s host match their golden files', async (name, host) => {
  await expect(await site.text('/robots.txt', { host })).toMatchFileSnapshot(golden(`robots-${name}`, 'txt'));
  await expect(await site.text('/sitemap.xml', { host })).toMatchFileSnapshot(
    golden(`sitemap-${name}`, 'txt'),
  );
  await expect(await site.text('/.well-known/gpc.json', { host })).toMatchFileSnapshot(
    golden(`gpc-${name}`, 'txt'),
  );
  await expect(await site.text('/favicon.svg', { host })).toMatchFileSnapshot(
    golden(`favicon-${name}`, 'txt'),
  );
});

const https = { 'x-forwarded-proto': 'https' };

test.each([
  ['home', '/', {}],
  ['home-https', '/', { headers: https }],
  ['home-head', '/', { method: 'HEAD' }],
  ['home-gzip', '/', { headers: { 'accept-encoding': 'gzip' } }],
  ['home-opted-out', '/', { headers: { 'sec-gpc': '1' } }],
  ['home-themed-https', '/', { host: themedHost, headers: https }],
  ['map-https', '/map', { headers: https }],
  ['success', '/success?noProvider=true', {}],
  ['not-found-https', '/no-such-page', { headers: https }],
  ['admin', '/admin', {}],
  ['admin-https', '/admin', { headers: https }],
  ['robots', '/robots.txt', {}],
  ['favicon', '/favicon.svg', {}],
  ['redirect', '/terms/', {}],
  ['withdraw-unknown-https', '/withdraw/unknown', { headers: https }],
  ['share-image', '/og/unknown.png', {}],
  ['missing-asset', '/assets/none.js', {}],
  ['hostile-host', '/', { host: 'not a host' }],
])('the headers of %s match their golden file', async (file, path, request) => {
  await expect(await site.headers(path, request)).toMatchFileSnapshot(golden(`headers-${file}`, 'txt'));
});

test('the headers of a page that the browser has match their golden file', async () => {
  const { headers } = await site.ask('/');
  const condition = { headers: { 'if-none-match': String(headers.etag) } };
  await expect(await site.headers('/', condition)).toMatchFileSnapshot(golden('headers-not-modified', 'txt'));
});

/** In a file of its own: only our own scripts read this data, so renaming a field in it changes one golden file. */
test('the data that pages carry for their scripts matches its golden file', async () => {
  const asked = [
    ...[
      '/',
      '/microsite?providerId=101',
      '/microsite?providerId=103',
      ...brandPages.map(([, path]) => path),
    ].map((path) => [mainHost, path] as const),
    ...['/', '/success', '/map', '/no-such-page'].map((path) => [themedHost, path] as const),
  ];
  const printed: string[] = [];
  for (const [host, path] of asked) {
    // Without a referrer, the bare confirmation redirects.
    const { text } = await site.ask(path, { host, headers: { referer: `https://${host}/` } });
    expect(text).toContain('id="boot"');
    printed.push(`${host}${path}\n${normalizeBoot(text, site)}`);
  }
  await expect(`${printed.join('\n\n')}\n`).toMatchFileSnapshot(golden('boot-data', 'txt'));
});
