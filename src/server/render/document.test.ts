import { expect, test } from 'vitest';
import { brandColors } from '#shared/brand/colors.ts';
import { type Boot, type PackedBoot, unpackBoot } from '#shared/pages/boot.ts';
import { hueShades } from '#shared/pages/hueShades.ts';
import { providerView } from '#test/support/tenantView.ts';
import { hashSource, pagePolicy, getTilesOrigin } from './csp.ts';
import { renderDocument, type Renderer } from './document.ts';
import { escapeHtml } from '../../shared/formats/text.ts';

const hostile = `</script><script>alert(1)</script>"'&\u2028`;
const links = {
  script: '/assets/e.js',
  modulePreloads: ['/assets/p.js'],
  favicon: '/favicon.svg',
};
const boot: Boot = {
  site: {
    mainOrigin: 'https://brand.example',
    contacts: {
      email: 'a@b.example',
      phone: hostile,
      phoneHref: hostile,
      postalAddress: '',
      arbitrationPlace: '',
    },
    providerSignupUrl: '',
    starterKitUrl: '',
    mapTilesUrl: null,
    measuresAds: false,
    offerEndsAt: null,
  },
  hiddenClaims: [],
  tenant: null,
  page: { kind: 'landing', form: null },
  formToken: 'token',
  today: '2026-01-02',
};

function drawnWith(css: string, drawn: Boot = boot): { html: string; css: string } {
  const renderer: Renderer = {
    renderBody: () => ({ html: '<p>body</p>', css }),
    pageMeta: () => ({
      title: hostile,
      description: hostile,
      canonical: 'https://brand.example/?a=1&b="',
      robots: 'noindex',
      og: {
        title: hostile,
        description: hostile,
        url: hostile,
        image: { url: hostile, width: 1200, height: 630, alt: hostile },
      },
      jsonLd: { name: hostile },
    }),
    renderLeadForm: () => '',
    renderMail: () => ({ subject: '', html: '', text: '' }),
    renderScreen: () => ({ title: '', html: '', css: '' }),
    isDeferred: () => false,
    preloads: ['/assets/f.woff2'],
  };
  return renderDocument({ renderer, links, boot: drawn });
}

test('a phone’s browser gets the color of the strip, at the provider’s hue', () => {
  const getColor = (themeHue: number | null): string | undefined => {
    const tenant = { ...providerView({ id: 7, name: 'Clinic' }), themeHue };
    const { html } = drawnWith('b{}', { ...boot, tenant });
    return /<meta name="theme-color" content="([^"]*)">/.exec(html)?.[1];
  };
  expect(getColor(null)).toBe(brandColors.primary);
  expect(getColor(210)).toBe(`oklch(${hueShades.primary.lightness} ${hueShades.primary.chroma} 210)`);
});

test('hostile text closes no element: the page has exactly its three scripts', () => {
  const { html } = drawnWith('b{}');
  expect(html.match(/<script[^>]*>/g)).toEqual([
    '<script type="application/json" id="boot">',
    '<script type="application/ld+json">',
    '<script data-script="/assets/e.js" data-chunks="/assets/p.js">',
  ]);
  expect(html.match(/<\/script>/g)).toHaveLength(3);
  expect(html).toContain(`<title>${escapeHtml(hostile)}</title>`);
  expect(html).toContain('<link rel="canonical" href="https://brand.example/?a=1&amp;b=&quot;">');
});

test('the boot data reads back unchanged', () => {
  const [, json = ''] = /id="boot">(.*?)<\/script>/.exec(drawnWith('').html) ?? [];
  const packed: PackedBoot = JSON.parse(json);
  expect(unpackBoot(packed)).toEqual(boot);
});

test('the policy allows the style tag exactly as it is in the page', () => {
  const { html, css } = drawnWith('b{color:red}\r\ni{}');
  const [, text = ''] = /<style[^>]*>([^]*?)<\/style>/.exec(html) ?? [];
  expect(text).not.toContain('\r');
  expect(pagePolicy({ css, secure: true })).toContain(hashSource(text));
});

test('the policy allows one inline script, and upgrades requests on https only', () => {
  const secure = pagePolicy({ css: '', secure: true });
  const [, text = ''] = /data-chunks="[^"]*">(.*?)<\/script>/s.exec(drawnWith('').html) ?? [];
  expect(secure).toContain(`script-src 'self' ${hashSource(text)};`);
  expect(secure).toContain('upgrade-insecure-requests');
  expect(pagePolicy({ css: '', secure: false })).not.toContain('upgrade-insecure-requests');
});

test('tiles are allowed from one host, on pages with a map only', () => {
  const site = { ...boot.site, mapTilesUrl: 'https://tiles.example:8443/{z}/{x}/{y}.png' };
  expect(getTilesOrigin({ site, page: { kind: 'map', listed: null } })).toBe('https://tiles.example:8443');
  expect(getTilesOrigin({ site, page: { kind: 'policy', policy: 'terms' } })).toBe(null);
  expect(getTilesOrigin({ site: { ...site, mapTilesUrl: null }, page: { kind: 'map', listed: null } })).toBe(
    null,
  );
  const policy = pagePolicy({ css: '', secure: true, tilesOrigin: 'https://tiles.example:8443' });
  expect(policy).toContain("img-src 'self' data: https://tiles.example:8443;");
  expect(policy).toContain("connect-src 'self' https://tiles.example:8443;");
});

test('styles that would close their tag are rejected', () => {
  expect(() => drawnWith('b::after{content:"</STYLE>"}')).toThrow('closing style tag');
});

test.each([
  [`a&b<c>"d"'e'`, 'a&amp;b&lt;c&gt;&quot;d&quot;&#x27;e&#x27;'],
  ['plain', 'plain'],
])('%s is escaped as React escapes it', (text, expected) => {
  expect(escapeHtml(text)).toBe(expected);
});
