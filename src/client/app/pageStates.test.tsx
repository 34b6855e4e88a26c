import { expect, test } from 'vitest';
import { location } from '#shared/brand/map.ts';
import { clinicDetails } from '#shared/brand/microsite.ts';
import { success } from '#shared/brand/success.ts';
import type { FormState, PageData } from '#shared/pages/boot.ts';
import { plainHtml } from '#test/support/brandTerms.ts';
import { providerView } from '#test/support/tenantView.ts';
import { renderBody } from './entryServer.tsx';

const site = {
  mainOrigin: 'https://brand.example',
  contacts: {
    email: 'care@brand.example',
    phone: '(555) 555-0100',
    phoneHref: 'tel:+15555550100',
    postalAddress: '1 Plain Street, Reno, NV 89501',
    arbitrationPlace: 'Reno, Nevada',
  },
  providerSignupUrl: 'https://example.com/join',
  starterKitUrl: 'https://example.com/kit',
  mapTilesUrl: null,
  measuresAds: false,
  offerEndsAt: null,
};

const bare = providerView({ id: 7, name: 'Alder Clinic' });
const complete = providerView({
  id: 8,
  name: 'Birch Clinic',
  practiceName: 'Birch Medical PLLC',
  phone: '(555) 555-0142',
  address: '1 Main St',
  website: 'birch.example',
});

function render(page: PageData): string {
  return renderBody({ site, hiddenClaims: [], tenant: null, page, formToken: 'token', today: '2031-11-21' })
    .html;
}

/** The main part of a page, without the brand's header and footer, as text. */
function shown(page: PageData): string {
  return plainHtml(/<main.*<\/main>/s.exec(render(page))?.[0] ?? '');
}

const invalid: FormState = {
  values: { first_name: 'Ada "Lovelace"', email: 'nowhere', zip_code: '80202', acceptance_consent: 'true' },
  errors: { email: 'This address is wrong.' },
  message: 'This address is wrong.',
};

const formPages = (form: FormState): PageData[] => [
  { kind: 'landing', form },
  { kind: 'variant', form },
  { kind: 'quiz', form },
  { kind: 'find', form },
  { kind: 'microsite', provider: bare, form },
  { kind: 'recruitment', form, applied: false, fromVisitor: false, isOfferOver: false },
];

/** The start tag of the control with this name. */
function controlIn(html: string, name: string): string {
  return new RegExp(`<(?:input|textarea)[^>]* name="${name}"[^>]*>`).exec(html)?.[0] ?? '';
}

test.each(formPages(invalid))('a failed form on $kind keeps its values and starts at the error', (page) => {
  const html = render(page);
  const email = controlIn(html, 'email');
  expect(email).toContain('value="nowhere"');
  expect(email).toContain('aria-invalid="true"');
  expect(email).toContain('autofocus');
  expect(html.match(/autofocus/g)).toHaveLength(1);
  expect(html).toMatch(/<p[^>]* id="field-email-error"[^>]*>This address is wrong\.<\/p>/);
  expect(controlIn(html, 'acceptance_consent')).toContain('checked');
  expect(controlIn(html, 'zip_code')).not.toContain('aria-invalid');
});

const failed: FormState = { values: invalid.values, errors: {}, message: 'Please try again later.' };

test.each(formPages(failed))('a form on $kind that could not be stored starts at its button', (page) => {
  const html = shown(page);
  expect(html).toContain('Please try again later.');
  expect(html).toMatch(/<button[^>]* type="submit"[^>]* autofocus/);
  expect(controlIn(html, 'email')).not.toContain('autofocus');
});

test('the page after a lead names its provider and offers its phone', () => {
  const page = { kind: 'success', noProvider: false } as const;
  const html = shown({ ...page, providerId: complete.id, provider: complete });
  for (const text of [success.banner.sent, success.callNow, 'Birch Clinic', 'href="/contacts/8.vcf"'])
    expect(html).toContain(text);
  const withoutPhone = shown({ ...page, providerId: bare.id, provider: bare });
  expect(withoutPhone).toContain('Alder Clinic');
  for (const text of [success.callNow, 'tel:', '.vcf']) expect(withoutPhone).not.toContain(text);
});

test('the page after a lead without a provider promises no call', () => {
  const html = shown({ kind: 'success', noProvider: true, providerId: null, provider: null });
  for (const text of [success.banner.searching, success.noProvider.title, 'mailto:care@brand.example'])
    expect(html).toContain(text);
  for (const text of [success.lead, success.nextTitle, success.cardTitle]) expect(html).not.toContain(text);
});

test('the page after a lead says so if its provider no longer exists', () => {
  const html = shown({ kind: 'success', noProvider: false, providerId: 999, provider: null });
  expect(html).toContain(success.notAvailable);
  for (const text of [success.nextTitle, success.callNow]) expect(html).not.toContain(text);
});

test('a provider’s pages show its contacts, and nothing for those it lacks', () => {
  const listPages = (provider: typeof bare) =>
    shown({ kind: 'microsite', provider, form: null }) + shown({ kind: 'location', provider });
  const html = listPages(complete);
  for (const text of [
    clinicDetails.certified.label,
    'href="tel:5555550142"',
    '1 Main St',
    'Birch Medical PLLC',
    'birch.example',
  ])
    expect(html).toContain(text);
  const lacking = listPages(bare);
  expect(lacking).toContain(location.title);
  for (const text of [clinicDetails.hours, clinicDetails.npi, '<dl></dl>', 'href="tel:', '1 Main St'])
    expect(lacking).not.toContain(text);
});
