import { describe, expect, test } from 'vitest';
import type { Boot, PageData } from '#shared/boot.ts';
import type { TenantView } from '#shared/tenant.ts';
import { pageMeta } from './pageMeta.ts';

const clinic: TenantView = {
  id: 7,
  name: 'Alder Row Clinic',
  practiceName: null,
  label: 'Alder Row Clinic',
  initial: 'A',
  logoUrl: null,
  imageUrl: null,
  phone: null,
  phoneHref: null,
  websiteHref: null,
  address: null,
  zipCode: '80202',
  domain: 'alder.example',
  themeHue: null,
  acceptsFreeConsultation: true,
  acceptsFinancing: false,
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
    postalAddress: '100 Example Street',
    arbitrationPlace: 'Springfield, Illinois',
  };
  const site = {
    mainOrigin,
    contacts,
    providerSignupUrl: 'https://example.com/join',
    starterKitUrl: 'https://example.com/kit',
    offerEndsAt: null,
  };
  return { site, tenant, page, formToken: '', today: '2026-11-21' };
}

const microsite = (of: TenantView): PageData => ({ kind: 'microsite', clinic: of, form: null });

describe('canonical address', () => {
  test('the landing page names the main site, whatever host shows it', () => {
    expect(pageMeta(boot({ kind: 'landing', form: null })).canonical).toBe('https://brand.example/');
  });

  test("a microsite names the clinic's own domain, on that domain and on the main site alike", () => {
    expect(pageMeta(boot(microsite(clinic), { tenant: clinic })).canonical).toBe('https://alder.example/');
    expect(pageMeta(boot(microsite(clinic))).canonical).toBe('https://alder.example/');
  });

  test("in development a clinic's address keeps scheme and port of the main site", () => {
    const local = { ...clinic, domain: 'alder.localhost' };
    expect(pageMeta(boot(microsite(local), { mainOrigin: 'http://localhost:3000' })).canonical).toBe(
      'http://alder.localhost:3000/',
    );
  });

  test('a clinic without a domain lives on the main site', () => {
    expect(pageMeta(boot(microsite({ ...clinic, domain: null }))).canonical).toBe(
      'https://brand.example/?providerId=7',
    );
  });

  test.each<PageData>([
    { kind: 'success', noProvider: true, providerId: null, clinic: null },
    { kind: 'notFound' },
    { kind: 'providerNotFound' },
  ])('$kind has none and is kept out of search engines', (page) => {
    expect(pageMeta(boot(page))).toMatchObject({ canonical: null, robots: 'noindex' });
  });
});

test("a clinic's page is named after the clinic, the brand's after the brand", () => {
  expect(pageMeta(boot(microsite(clinic), { tenant: clinic })).title).toBe(
    'Alder Row Clinic | Certified provider of P-Long®',
  );
  expect(pageMeta(boot({ kind: 'policy', policy: 'terms' }, { tenant: clinic })).title).toBe(
    'Terms and Conditions | Alder Row Clinic',
  );
  expect(pageMeta(boot({ kind: 'policy', policy: 'terms' })).title).toBe('Terms and Conditions | P-Long®');
});

test("structured data says no more than the clinic's record", () => {
  expect(pageMeta(boot(microsite(clinic))).jsonLd).toEqual({
    '@context': 'https://schema.org',
    '@type': 'MedicalBusiness',
    name: 'Alder Row Clinic',
    url: 'https://alder.example/',
    address: { '@type': 'PostalAddress', postalCode: '80202', addressCountry: 'US' },
  });
});

describe('the picture that stands for a link to a clinic', () => {
  const logos = (logoUrl: string, domain: string | null = 'alder.example') => {
    const { og, jsonLd } = pageMeta(boot(microsite({ ...clinic, logoUrl, domain })));
    return [og.image, jsonLd !== null && 'logo' in jsonLd ? jsonLd.logo : null];
  };

  test("is named with the clinic's own origin, as others read it from elsewhere", () => {
    const own = 'https://alder.example/media/logo/7?v=abc';
    expect(logos('/media/logo/7?v=abc')).toEqual([own, own]);
  });

  test('of a clinic without a domain lies on the main site', () => {
    const main = 'https://brand.example/media/logo/7?v=abc';
    expect(logos('/media/logo/7?v=abc', null)).toEqual([main, main]);
  });

  test('is left out where the logo is inline, which nobody else can fetch', () => {
    expect(logos('data:image/svg+xml,%3Csvg/%3E')).toEqual([null, null]);
  });
});
