import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { BootProvider } from '#client/api/tenant.tsx';
import { StudyFacts } from '#client/sections/kit/StudyFacts.tsx';
import { claims } from '#shared/brand/claims.ts';
import { type Claim, type HiddenClaim, pickHidden } from '#shared/claims/claim.ts';
import { brand } from '#shared/brand/brand.ts';
import { chrome } from '#shared/brand/chrome.ts';
import { messages } from '#shared/brand/messages.ts';
import { microsite } from '#shared/brand/microsite.ts';
import { howItWorks } from '#shared/brand/landing.ts';
import { leadDisclosure } from '#shared/brand/leadForm.ts';
import { directionsAddress } from '#shared/brand/map.ts';
import { termsAndConditions } from '#shared/brand/legal/terms.ts';
import { longDate } from '#shared/formats/writing.ts';
import { factClaims, protocolStudy, studyTexts } from '#shared/brand/trust/study.ts';
import type { Boot, PageData } from '#shared/pages/boot.ts';
import type { TenantView } from '#shared/providers/tenant.ts';
import { pageMeta, renderBody, renderLeadForm } from './entryServer.tsx';
import { plainHtml } from '#test/support/brandTerms.ts';
import { brandPages, pageKinds } from '#test/support/everyPage.ts';
import { providerView } from '#test/support/tenantView.ts';
import { meets } from '#test/support/meets.ts';

const contacts = {
  email: 'care@brand.example',
  phone: '(555) 555-0100',
  phoneHref: 'tel:+15555550100',
  postalAddress: '1 Plain Street, Reno, NV 89501',
  arbitrationPlace: 'Reno, Nevada',
};
const provider: TenantView = {
  ...providerView({
    id: 7,
    name: '</script><b>Alder & Co',
    phone: '(555) 555-0142',
    domain: 'alder.example',
    themeHue: 210,
    accepts_free_consultation: true,
    accepts_financing: true,
  }),
  shareImage: '/og/7/abc.png',
};

function boot(
  page: PageData,
  tenant: TenantView | null = null,
  hiddenClaims: readonly HiddenClaim[] = [],
): Boot {
  const site = {
    mainOrigin: 'https://brand.example',
    contacts,
    providerSignupUrl: 'https://example.com/join',
    starterKitUrl: 'https://example.com/kit',
    mapTilesUrl: null,
    measuresAds: false,
    offerEndsAt: null,
  };
  return { site, hiddenClaims, tenant, page, formToken: 'render-token', today: '2031-11-21' };
}

const pages: PageData[] = [
  ...brandPages,
  { kind: 'microsite', provider, form: null },
  { kind: 'location', provider },
  { kind: 'success', noProvider: false, providerId: 7, provider },
];

/** A page as text: no comments of React, no entities. */
function shown(page: PageData, tenant: TenantView | null = null): string {
  return plainHtml(renderBody(boot(page, tenant)).html);
}

test('a provider whose consultation is not free promises none', () => {
  const paid = { ...provider, acceptsFreeConsultation: false, acceptsFinancing: false };
  const site = (of: TenantView) => shown({ kind: 'microsite', provider: of, form: null }, of);
  const { formHeading, submit, firstStep, stepsCall } = microsite;
  for (const { freeConsultation, qualify } of [formHeading, submit, firstStep.title, stepsCall]) {
    expect(site(provider)).toContain(`>${freeConsultation}<`);
    expect(site(paid)).not.toContain(freeConsultation);
    expect(site(paid)).toContain(`>${qualify}<`);
  }
});

test.each<PageData>([
  { kind: 'microsite', provider, form: null },
  { kind: 'location', provider },
  { kind: 'policy', policy: 'terms' },
  { kind: 'notFound' },
])("a tenant's $kind page links to no page of other providers", (page) => {
  meets('D.conformity.24 D.conformity.25');
  const links = [...shown(page, provider).matchAll(/href="(\/[^"#?]*)/g)].map(([, path]) => path);
  expect(new Set(links)).toEqual(new Set(['/', '/map', '/privacy', '/terms', '/refunds', '/study']));
});

test('the details under a form name the provider whose site it is', () => {
  if (leadDisclosure === null) return;
  const { text, matched } = leadDisclosure;
  const own = shown({ kind: 'microsite', provider, form: null }, provider);
  expect(own).toContain(text(provider.label));
  expect(own).not.toContain(text(matched));
  expect(shown({ kind: 'landing', form: null })).toContain(text(matched));
});

test("a tenant's location page has the contacts, directions and the way to its form", () => {
  const placed = { ...provider, destination: '1%20Main%20St', address: '1 Main St' };
  const html = shown({ kind: 'location', provider: placed }, placed);
  for (const text of ['1 Main St', 'href="tel:5555550142"', 'href="/#provider-form"'])
    expect(html).toContain(text);
  expect(html).toContain(`href="${directionsAddress}1%20Main%20St"`);
  expect(shown({ kind: 'location', provider }, provider)).not.toContain(directionsAddress);
});

test('the column titles of the footer are no headings', () => {
  const [, footer = ''] = /<footer(.*)<\/footer>/s.exec(shown({ kind: 'landing', form: null })) ?? [];
  expect(footer).toContain(chrome.footer.explore);
  expect(footer).not.toMatch(/<h\d/);
});

test('the number of a step is no part of its heading’s text', () => {
  const headings = [...shown({ kind: 'landing', form: null }).matchAll(/<h3[^>]*>(.*?)<\/h3>/g)];
  const texts = headings.map(([, inside = '']) => inside.replaceAll(/<[^>]*>/g, ''));
  for (const { title } of howItWorks.steps) expect(texts).toContain(title);
});

test('the dashboard has no header, navigation or footer of the site', () => {
  meets('D.conformity.12');
  const { html } = renderBody(boot({ kind: 'admin', member: null, step: null, ways: [] }));
  expect(html).not.toMatch(/<footer|<nav/);
});

test.each(pages.filter(({ kind }) => kind !== 'admin'))(
  '$kind has the navigation and both footer blocks',
  (page) => {
    meets('D.conformity.13 P1.site.05 P1.site.06 P2.frame.03 P2.frame.04');
    const html = shown(page);
    expect(html).toContain(`>${chrome.nav.results}</a>`);
    expect(html).toContain(chrome.footer.disclaimer);
    expect(html).toContain('href="/privacy#consumer-health-data"');
    expect(html).toContain(`© 2031 ${brand.plainName}`);
  },
);

describe.each(pages)('$kind', (page) => {
  const { html, css } = renderBody(boot(page));

  test('has one main heading and the skip link', () => {
    expect(html.match(/<h1[\s>]/g)).toHaveLength(1);
    // The dashboard's leads past its tabs; the sign-in has nothing to skip.
    expect(html.includes('href="#main"')).toBe(page.kind !== 'admin');
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

/** The texts of headings, entries and paragraphs, without scripts and drawings. */
function emptyElements(html: string): string[] {
  const shownHtml = html.replaceAll(/<(svg|script|template)\b.*?<\/\1>/gs, 'drawing');
  return [...shownHtml.matchAll(/<(h[1-6]|p|li|dd|dt|ul|dl|figcaption)\b[^>]*>\s*<\/\1>/g)].map(
    ([all]) => all,
  );
}

/** The figures in a claim's text: '32', '100%', '$2K-8K'. */
function listFigures(text: string): string[] {
  return [...text.matchAll(/\$?\d+(?:\.\d+)?(?:K?-\d+K?|%)?/g)].map(([figure]) => figure.toLowerCase());
}

const [participants, months] = [protocolStudy.participants ?? 0, protocolStudy.months ?? 0];
const statedFacts: Readonly<Record<string, string>> = {
  [factClaims.participants]: `${studyTexts.labels.participants} ${participants}`,
  [factClaims.months]: `${studyTexts.labels.months} ${studyTexts.months(months)}`,
};

/** Text without what states the claims that are shown: a hidden one's figure may be theirs too. */
function withoutShown(text: string, hidden: Claim): string {
  return claims
    .filter(({ id }) => id !== hidden.id)
    .flatMap((other: Claim) =>
      [other.text.replace(/\.$/, ''), ...other.says, statedFacts[other.id] ?? []].flat(),
    )
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, phrase) => rest.replaceAll(phrase.toLowerCase(), ''), text);
}

/** Whether the text has a figure that isn't part of a longer one. */
function hasFigure(text: string, figure: string): boolean {
  const escaped = figure.replaceAll(/[.$]/g, String.raw`\$&`);
  return new RegExp(`(?<![\\w.,-])${escaped}(?![\\w%]|[.,]\\d)`).test(text);
}

describe.each<Claim>(claims)('with $id hidden', (claim) => {
  const hidden = pickHidden(claims, (id) => id === claim.id);

  test.each(pages.filter(({ kind }) => kind !== 'admin'))('$kind has no trace of it, and no hole', (page) => {
    const given = boot(page, null, hidden);
    const { title, description, og, jsonLd } = pageMeta(given);
    const html = plainHtml(renderBody(given).html);
    // A legal text stays as it was agreed to.
    const [body = ''] = page.kind === 'policy' ? html.split('<main') : [html];
    const meta = `${title} ${description} ${og.description} ${og.image.alt} ${JSON.stringify(jsonLd)}`;
    const text = `${body.replaceAll(/<[^>]*>/g, '')} ${body} ${meta}`.toLowerCase();
    const phrases = [...claim.says, ...claim.words].filter((phrase) => text.includes(phrase.toLowerCase()));
    expect(phrases).toEqual([]);
    expect(text).not.toContain(`#${claim.id}"`);
    const read = `${body.replaceAll(/<[^>]*>/g, ' ')} ${meta}`.replaceAll(/\s+/g, ' ').toLowerCase();
    const figures = claim.study === null ? [] : listFigures(claim.text);
    expect(figures.filter((figure) => hasFigure(withoutShown(read, claim), figure))).toEqual([]);
    expect(emptyElements(html)).toEqual(emptyElements(plainHtml(renderBody(boot(page)).html)));
  });
});

test('a study shows its facts without those whose claim is hidden', () => {
  const ids: readonly string[] = Object.values(factClaims);
  const study = { ...protocolStudy, participants: 4711, months: 42, design: 'One sentence stays.' };
  const facts = (hidden: readonly HiddenClaim[]) => {
    const body = renderToStaticMarkup(
      <BootProvider
        value={boot({ kind: 'study', form: null, reported: false, fromClinics: false }, null, hidden)}
      >
        <StudyFacts study={study} />
      </BootProvider>,
    );
    return ['4711', studyTexts.months(42), 'One sentence stays.'].filter((text) => body.includes(text));
  };
  expect(facts([])).toHaveLength(3);
  expect(facts(pickHidden(claims, (id) => ids.includes(id)))).toEqual(['One sentence stays.']);
});

test('the participants are drawn only while their number is shown', () => {
  const strokes = /<svg[^>]*viewBox="0 0 72 58"/;
  const landing = (hidden: readonly HiddenClaim[]) =>
    renderBody(boot({ kind: 'landing', form: null }, null, hidden)).html;
  expect(landing([])).toMatch(strokes);
  expect(landing(pickHidden(claims, (id) => id === factClaims.participants))).not.toMatch(strokes);
});

test("a provider's site shows its name, as text, and names the brand", () => {
  meets('D.hosts.25');
  const { html } = renderBody(boot({ kind: 'microsite', provider, form: null }, provider));
  expect(html).toContain('&lt;/script&gt;&lt;b&gt;Alder &amp; Co');
  expect(html).not.toContain('<b>Alder');
  expect(html).toContain(chrome.certifiedProviderOf);
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
  meets('D.hosts.20');
  for (const kind of ['notFound', 'providerNotFound'] as const) {
    expect(shown({ kind })).toContain(`>${messages[kind].title}<`);
    expect(shown({ kind })).toContain(`>${messages[kind].text}<`);
  }
});

test("the policy pages have the company's address, the arbitration place and the date", () => {
  meets('P2.policy.14');
  const policy = (key: 'privacy' | 'terms' | 'refunds') => shown({ kind: 'policy', policy: key });
  expect(policy('privacy')).toContain('id="consumer-health-data"');
  expect(policy('privacy')).toContain('1 Plain Street, Reno, NV 89501');
  expect(policy('terms')).toContain(`${messages.lastUpdated} ${termsAndConditions(contacts).lastUpdated}`);
  expect(policy('terms')).toContain('Reno, Nevada');
  expect(policy('refunds')).toContain(`${messages.lastUpdated} ${longDate('2031-11-21')}`);
});
