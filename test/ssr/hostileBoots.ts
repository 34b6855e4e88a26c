import * as fc from 'fast-check';
import type { Boot, PageData } from '#shared/pages/boot.ts';
import type { TenantView } from '#shared/providers/tenant.ts';
import { listDayTimes } from '#shared/providers/dayTimes.ts';
import { brandPages } from '#test/support/everyPage.ts';

/** What breaks pages: markup, quotes, replacement patterns, marks of our own, line separators, any Unicode. */
const hostileText = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.constantFrom(
    '</script><script>alert(1)</script>',
    '<!--',
    'O\'Brien & "Sons"',
    '$&',
    "$'$`$1",
    '\uE000tenant.name\uE001',
    '\uE001',
    '\u2028\u2029',
    '8800000000000017',
    '\\',
    'Ünïcödé 🏥 診療所',
    ' x ',
    '\0\n\r\t',
  ),
);
const image = fc.oneof(
  fc.constantFrom(
    '/media/logo/1',
    '/media/logo/2',
    'https://clinic.example/a.png',
    'http://clinic.example/?a=1&b="<',
    'data:image/svg+xml,<svg/>',
    'DATA:image/png;base64,AA',
    'HTTPS://x.example/',
  ),
  hostileText.map((text) => `https://x.example/${text}`),
);
const orNull = (value: fc.Arbitrary<string>) => fc.option(value, { nil: null });
const hours =
  'Mon 09:00-12:00, 13:00-17:00; Tue closed; Wed 00:00-24:00; Thu closed; Fri closed; Sat closed; Sun closed';

/** Any clinic a record can describe, and then some. */
export const anyProvider: fc.Arbitrary<TenantView> = fc.record({
  id: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  name: hostileText,
  practiceName: orNull(hostileText),
  label: hostileText,
  initial: fc.oneof(fc.constant(''), hostileText),
  logoUrl: orNull(image),
  imageUrl: orNull(image),
  phone: orNull(hostileText),
  phoneHref: orNull(fc.constantFrom('tel:+15550100', 'tel:5550199')),
  websiteHref: orNull(fc.constantFrom('https://a.example/', 'http://b.example/?q=%22&x=<')),
  address: orNull(hostileText),
  zipCode: hostileText,
  latitude: orNull(fc.constantFrom('39.75', '-0.5')),
  longitude: orNull(fc.constantFrom('-104.99', '12')),
  shareImage: fc.constantFrom('/og/1/abc.png', '/og/22/x.png'),
  iconTag: fc.constantFrom('a1', '1z141z4'),
  domain: orNull(hostileText),
  destination: orNull(hostileText),
  themeHue: fc.option(fc.integer({ min: 0, max: 359 }), { nil: null }),
  acceptsFreeConsultation: fc.boolean(),
  acceptsFinancing: fc.boolean(),
  measuresAds: fc.boolean(),
  clinician: orNull(hostileText),
  npi: orNull(hostileText),
  certifiedSince: orNull(hostileText),
  about: orNull(hostileText),
  // What the browser reads itself is as it is stored.
  hours: fc.constantFrom(null, hours),
  timeZone: fc.constantFrom(null, 'America/Denver', 'Pacific/Honolulu'),
  languages: orNull(hostileText),
  pictures: fc.array(
    hostileText.map((text) => `/media/picture-1/1?v=${text}`),
    { maxLength: 6 },
  ),
  bookingUrl: orNull(fc.constantFrom('https://a.example/book')),
  plate: orNull(fc.constantFrom('/og/plate/1/abc.svg', '/og/plate/22/x.svg')),
  dayTimes: fc.constantFrom([], listDayTimes(hours)),
  openingHours: fc.array(hostileText, { maxLength: 14 }),
  openNow: orNull(hostileText),
  street: orNull(hostileText),
  city: orNull(hostileText),
  state: orNull(hostileText),
});

/** A page of a site with made-up settings. */
export function buildBoot(page: PageData, tenant: TenantView | null): Boot {
  const contacts = {
    email: 'a@b.example',
    phone: '555',
    phoneHref: 'tel:555',
    postalAddress: 'x',
    arbitrationPlace: 'y',
  };
  const site = {
    mainOrigin: 'https://brand.example',
    contacts,
    providerSignupUrl: 'https://c.example',
    starterKitUrl: 'https://d.example',
    mapTilesUrl: null,
    measuresAds: true,
    offerEndsAt: null,
  };
  return { site, hiddenClaims: [], tenant, page, formToken: 'to"ken', today: '2026-01-02' };
}

/** Any page that names a clinic, on its own host, another's or the main site. */
export const anyBoot: fc.Arbitrary<Boot> = fc.oneof(
  anyProvider.map((own) => buildBoot({ kind: 'microsite', provider: own, form: null }, own)),
  anyProvider.map((named) => buildBoot({ kind: 'microsite', provider: named, form: null }, null)),
  anyProvider.map((own) => buildBoot({ kind: 'location', provider: own }, own)),
  fc.tuple(anyProvider, fc.constantFrom(...brandPages)).map(([own, page]) => buildBoot(page, own)),
  fc
    .tuple(anyProvider, anyProvider)
    .map(([own, named]) =>
      buildBoot({ kind: 'success', noProvider: false, providerId: named.id, provider: named }, own),
    ),
  fc
    .tuple(anyProvider, anyProvider)
    .map(([own, changed]) =>
      buildBoot(
        { kind: 'success', noProvider: false, providerId: own.id, provider: { ...changed, id: own.id } },
        own,
      ),
    ),
  fc
    .integer({ min: 1 })
    .map((providerId) => buildBoot({ kind: 'success', noProvider: false, providerId, provider: null }, null)),
);

function siblingProvider(view: TenantView): TenantView {
  const changed = (text: string): string => (text === '' ? '' : `Sibling <${text}>`);
  return {
    ...view,
    id: view.id + 1,
    name: changed(view.name),
    practiceName: view.practiceName === null ? null : changed(view.practiceName),
    label: changed(view.label),
    phone: view.phone === null ? null : changed(view.phone),
    address: view.address === null ? null : changed(view.address),
    zipCode: changed(view.zipCode),
    domain: view.domain === null ? null : changed(view.domain),
    destination: view.destination === null ? null : changed(view.destination),
    logoUrl: view.logoUrl === null ? null : `${view.logoUrl}?sibling`,
    imageUrl: view.imageUrl === null ? null : `${view.imageUrl}?sibling`,
    latitude: view.latitude === null ? null : '1.25',
    longitude: view.longitude === null ? null : '2.5',
    about: view.about === null ? null : changed(view.about),
    street: view.street === null ? null : changed(view.street),
    clinician: view.clinician === null ? null : changed(view.clinician),
    pictures: view.pictures.map((picture) => `${picture}?sibling`),
    openingHours: view.openingHours.map(changed),
    openNow: view.openNow === null ? null : changed(view.openNow),
    plate: view.plate === null ? null : '/og/plate/9/sibling.svg',
    shareImage: '/og/9/sibling.png',
    iconTag: 'sibling',
    themeHue: view.themeHue === null ? null : 359 - view.themeHue,
  };
}

/** The same page for another clinic of the same shape: what is there is there, but says something else. */
export function findSibling(boot: Boot): Boot {
  const tenant = boot.tenant === null ? null : siblingProvider(boot.tenant);
  return { ...boot, tenant, page: siblingPage(boot.page), formToken: `${boot.formToken}?` };
}

function siblingPage(page: PageData): PageData {
  if (page.kind === 'microsite' || page.kind === 'location')
    return { ...page, provider: siblingProvider(page.provider) };
  if (page.kind !== 'success') return page;
  const provider = page.provider === null ? null : siblingProvider(page.provider);
  return { ...page, provider, providerId: page.providerId === null ? null : page.providerId + 1 };
}
