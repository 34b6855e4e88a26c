import { describe, expect, test } from 'vitest';
import { brand } from '#shared/brand/brand.ts';
import { chrome, policyLabels } from '#shared/brand/chrome.ts';
import { location } from '#shared/brand/map.ts';
import type { Boot, PageData } from '#shared/pages/boot.ts';
import type { TenantView } from '#shared/providers/tenant.ts';
import { providerView } from '#test/support/tenantView.ts';
import { meets } from '#test/support/meets.ts';
import { pageMeta } from './pageMeta.ts';

const provider: TenantView = {
  ...providerView({
    id: 7,
    name: 'Alder Row Clinic',
    domain: 'alder.example',
    accepts_free_consultation: true,
  }),
  shareImage: '/og/7/abc.png',
};

function boot(
  page: PageData,
  {
    tenant = null,
    mainOrigin = 'https://brand.example',
  }: { tenant?: TenantView | null; mainOrigin?: string } = {},
): Boot {
  const contacts = {
    email: 'hello@example.com',
    phone: '(555) 555-0100',
    phoneHref: 'tel:+15555550100',
    postalAddress: '100 Example Street',
    arbitrationPlace: 'Springfield, Illinois',
  };
  const site = {
    mainOrigin,
    contacts,
    providerSignupUrl: 'https://example.com/join',
    starterKitUrl: 'https://example.com/kit',
    mapTilesUrl: null,
    measuresAds: false,
    offerEndsAt: null,
  };
  return { site, hiddenClaims: [], tenant, page, formToken: '', today: '2026-11-21' };
}

const microsite = (of: TenantView): PageData => ({ kind: 'microsite', provider: of, form: null });

test('a provider’s map is titled by its heading and the provider', () => {
  const page: PageData = { kind: 'location', provider };
  expect(pageMeta(boot(page, { tenant: provider })).title).toBe(`${location.title} | ${provider.label}`);
});

describe('canonical address', () => {
  test('the landing page names the main site, whatever host shows it', () => {
    meets('D.hosts.12');
    expect(pageMeta(boot({ kind: 'landing', form: null })).canonical).toBe('https://brand.example/');
  });

  test('the landing page’s variant names the landing page', () => {
    meets('D.conformity.48 P2.variant.13');
    expect(pageMeta(boot({ kind: 'variant', form: null })).canonical).toBe('https://brand.example/');
  });

  test.each([
    [{ kind: 'quiz', form: null }, '/start'],
    [{ kind: 'find', form: null }, '/find'],
    [{ kind: 'recruitment', form: null, applied: false, fromVisitor: false, isOfferOver: false }, '/clinics'],
    [{ kind: 'map', listed: null }, '/map'],
    [{ kind: 'policy', policy: 'terms' }, '/terms'],
  ] as const)("the brand's %j names the main site on a clinic's host too", (page, path) => {
    meets('D.hosts.50 D.conformity.46 D.conformity.47 P2.quiz.07 P2.find.01');
    expect(pageMeta(boot(page, { tenant: provider })).canonical).toBe(`https://brand.example${path}`);
  });

  test('a microsite names the clinic’s own domain, there and on the main site alike', () => {
    meets('D.hosts.28');
    expect(pageMeta(boot(microsite(provider), { tenant: provider })).canonical).toBe(
      'https://alder.example/',
    );
    expect(pageMeta(boot(microsite(provider))).canonical).toBe('https://alder.example/');
  });

  test("in development a clinic's address keeps scheme and port of the main site", () => {
    const local = { ...provider, domain: 'alder.localhost' };
    expect(pageMeta(boot(microsite(local), { mainOrigin: 'http://localhost:3000' })).canonical).toBe(
      'http://alder.localhost:3000/',
    );
  });

  test('a clinic without a domain lives on the main site', () => {
    expect(pageMeta(boot(microsite({ ...provider, domain: null }))).canonical).toBe(
      'https://brand.example/?providerId=7',
    );
  });

  test.each<PageData>([
    { kind: 'success', noProvider: true, providerId: null, provider: null },
    { kind: 'notFound' },
    { kind: 'providerNotFound' },
  ])('$kind has none and is kept out of search engines', (page) => {
    expect(pageMeta(boot(page))).toMatchObject({ canonical: null, robots: 'noindex' });
  });
});

test("a provider's page is named after the provider, the brand's after the brand", () => {
  meets('D.hosts.26 D.hosts.27');
  const ofProvider = `Alder Row Clinic | ${chrome.certifiedProviderOf} ${brand.name}`;
  expect(pageMeta(boot(microsite(provider), { tenant: provider })).title).toBe(ofProvider);
  expect(pageMeta(boot({ kind: 'policy', policy: 'terms' }, { tenant: provider })).title).toBe(
    `${policyLabels.terms} | Alder Row Clinic`,
  );
  expect(pageMeta(boot({ kind: 'map', listed: null }, { tenant: provider }))).toMatchObject({
    title: ofProvider,
    description: expect.stringContaining('Alder Row Clinic'),
  });
  expect(pageMeta(boot({ kind: 'policy', policy: 'terms' })).title).toBe(
    `${policyLabels.terms} | ${brand.name}`,
  );
});

test("structured data says no more than the clinic's record", () => {
  meets('D.hosts.30');
  expect(pageMeta(boot(microsite(provider))).jsonLd).toEqual({
    '@context': 'https://schema.org',
    '@type': 'MedicalBusiness',
    name: 'Alder Row Clinic',
    url: 'https://alder.example/',
    address: { '@type': 'PostalAddress', postalCode: '80202', addressCountry: 'US' },
  });
});

test('structured data has the recorded place and pictures, by public addresses', () => {
  const { jsonLd } = pageMeta(
    boot(
      microsite({
        ...provider,
        latitude: '39.75',
        longitude: '-104.99',
        logoUrl: '/media/logo/7?v=abc',
        imageUrl: 'data:image/svg+xml,%3Csvg/%3E',
      }),
    ),
  );
  expect(jsonLd).toMatchObject({
    geo: { '@type': 'GeoCoordinates', latitude: '39.75', longitude: '-104.99' },
    logo: 'https://alder.example/media/logo/7?v=abc',
  });
  expect(jsonLd).not.toHaveProperty('image');
});

test('structured data has the known parts of an address, otherwise its text', () => {
  const address = '100 Sample Street, Denver, CO';
  const parts = { street: '100 Sample Street', city: 'Denver', state: 'CO' };
  const country = { '@type': 'PostalAddress', postalCode: '80202', addressCountry: 'US' };
  expect(pageMeta(boot(microsite({ ...provider, address, ...parts }))).jsonLd).toMatchObject({
    address: {
      ...country,
      streetAddress: '100 Sample Street',
      addressLocality: 'Denver',
      addressRegion: 'CO',
    },
  });
  expect(pageMeta(boot(microsite({ ...provider, address }))).jsonLd).toMatchObject({
    address: { ...country, streetAddress: address },
  });
});

describe('the picture that stands for a link', () => {
  test("is the clinic's own on every page of its site, named with its own origin", () => {
    meets('D.hosts.29');
    const image = { url: 'https://alder.example/og/7/abc.png', width: 1200, height: 630 };
    expect(pageMeta(boot(microsite(provider))).og.image).toMatchObject(image);
    expect(pageMeta(boot({ kind: 'policy', policy: 'terms' }, { tenant: provider })).og.image).toMatchObject(
      image,
    );
  });

  test('of a clinic without a domain lies on the main site, as the brand’s does', () => {
    expect(pageMeta(boot(microsite({ ...provider, domain: null }))).og.image.url).toBe(
      'https://brand.example/og/7/abc.png',
    );
    expect(pageMeta(boot({ kind: 'map', listed: null })).og.image.url).toMatch(
      /^https:\/\/brand\.example\/og\/brand\/\w+\.png$/,
    );
  });
});
