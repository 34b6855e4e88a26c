import { describe, expect, test } from 'vitest';
import type { Boot, PageData } from '#shared/pages/boot.ts';
import type { TenantView } from '#shared/providers/tenant.ts';
import { renderBody, renderLeadForm } from './entryServer.tsx';
import { brandPages, pageKinds } from '#test/support/everyPage.ts';

const contacts = {
  email: 'care@brand.example',
  phone: '(555) 555-0100',
  postalAddress: '1 Plain Street, Reno, NV 89501',
  arbitrationPlace: 'Reno, Nevada',
};
const provider: TenantView = {
  id: 7,
  name: '</script><b>Alder & Co',
  practiceName: null,
  label: '</script><b>Alder & Co',
  initial: 'A',
  logoUrl: null,
  imageUrl: null,
  phone: '(555) 555-0142',
  phoneHref: 'tel:5555550142',
  websiteHref: null,
  address: null,
  zipCode: '80202',
  latitude: null,
  longitude: null,
  shareImage: '/og/7/abc.png',
  domain: 'alder.example',
  themeHue: 210,
  acceptsFreeConsultation: true,
  acceptsFinancing: true,
  measuresAds: false,
};

function boot(page: PageData, tenant: TenantView | null = null): Boot {
  const site = {
    mainOrigin: 'https://brand.example',
    contacts,
    providerSignupUrl: 'https://example.com/join',
    starterKitUrl: 'https://example.com/kit',
    mapTilesUrl: null,
    measuresAds: false,
    offerEndsAt: null,
  };
  return { site, tenant, page, formToken: 'render-token', today: '2031-11-21' };
}

const pages: PageData[] = [
  ...brandPages,
  { kind: 'microsite', provider, form: null },
  { kind: 'success', noProvider: false, providerId: 7, provider },
];

test('a clinic whose consultation is not free promises none', () => {
  const paid = { ...provider, acceptsFreeConsultation: false, acceptsFinancing: false };
  const site = (of: TenantView) => renderBody(boot({ kind: 'microsite', provider: of, form: null }, of)).html;
  expect(site(provider)).toMatch(/free consult/i);
  expect(site(paid)).not.toMatch(/free consult/i);
});

test("a clinic's site matches nobody with another clinic", () => {
  const { html } = renderBody(boot({ kind: 'microsite', provider, form: null }, provider));
  expect(html).not.toMatch(/provider near you|match you with/i);
});

test('the dashboard has no header, navigation or footer of the site', () => {
  const { html } = renderBody(boot({ kind: 'admin', member: null }));
  expect(html).not.toMatch(/<footer|<nav|Results vary/);
});

test.each(pages.filter(({ kind }) => kind !== 'admin'))(
  '$kind has the navigation and both footer blocks',
  (page) => {
    const { html } = renderBody(boot(page));
    expect(html).toContain('>Results</a>');
    expect(html).toMatch(/Results vary/);
    expect(html).toContain('href="/privacy#consumer-health-data"');
    expect(html.replaceAll('<!-- -->', '')).toContain('© 2031 P-Long');
  },
);

describe.each(pages)('$kind', (page) => {
  const { html, css } = renderBody(boot(page));

  test('has one main heading and the skip link', () => {
    expect(html.match(/<h1[\s>]/g)).toHaveLength(1);
    expect(html).toContain('href="#main"');
  });

  test('is readable without scripts: nothing starts transparent', () => {
    expect(html).not.toMatch(/style="[^"]*opacity:\s*0[;"]/);
  });

  test('has its styles and the global ones as text for one style tag', () => {
    expect(css).toContain('--primary:');
    expect(css).toContain('@font-face');
    expect(css).not.toContain('<');
  });

  test('renders the same twice', () => {
    expect(renderBody(boot(page))).toEqual({ html, css });
  });
});

test('these tests render every kind of page', () => {
  expect(new Set(pages.map(({ kind }) => kind))).toEqual(new Set(pageKinds));
});

test("a clinic's site leads with its name, as text, and names the brand beside it", () => {
  const { html } = renderBody(boot({ kind: 'microsite', provider, form: null }, provider));
  expect(html).toContain('&lt;/script&gt;&lt;b&gt;Alder &amp; Co');
  expect(html).not.toContain('<b>Alder');
  expect(html).toContain('Certified provider of');
  expect(html).not.toContain('href="/map"');
});

test('renderLeadForm renders the form as its page does', () => {
  const drawn = renderLeadForm('microsite', boot({ kind: 'microsite', provider, form: null }, provider));
  expect(drawn).toContain('<form');
  expect(renderBody(boot({ kind: 'microsite', provider, form: null }, provider)).html).toContain(drawn);
  const landing = boot({ kind: 'landing', form: null });
  expect(renderBody(landing).html).toContain(renderLeadForm('landing', landing));
  for (const kind of ['quiz', 'find'] as const) {
    const page = boot({ kind, form: null });
    const form = renderLeadForm(kind, page);
    expect(form).toContain(`data-lead-form="${kind}"`);
    expect(renderBody(page).html).toContain(form);
  }
});

test('not-found pages have their texts', () => {
  expect(renderBody(boot({ kind: 'notFound' })).html).toMatch(
    />404 Page Not Found<.*>Did you forget to add the page to the router\?</,
  );
  expect(renderBody(boot({ kind: 'providerNotFound' })).html).toContain('>Provider not found<');
});

test("the policy page carries the company's address, the arbitration place and today's date where they belong", () => {
  const policy = (key: 'privacy' | 'terms' | 'refunds') =>
    renderBody(boot({ kind: 'policy', policy: key })).html.replaceAll('<!-- -->', '');
  expect(policy('privacy')).toContain('id="consumer-health-data"');
  expect(policy('privacy')).toContain('1 Plain Street, Reno, NV 89501');
  expect(policy('terms')).toContain('Last updated February 2025');
  expect(policy('terms')).toContain('Reno, Nevada');
  expect(policy('refunds')).toContain('Last updated November 21, 2031');
});
