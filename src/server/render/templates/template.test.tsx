import { serialize } from 'node:v8';
import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Boot } from '#shared/pages/boot.ts';
import type { TenantView } from '#shared/providers/tenant.ts';
import { anyBoot, anyProvider, buildBoot, findSibling } from '#test/ssr/hostileBoots.ts';
import { renderDocument, type Renderer } from '../document.ts';
import { getShape, listSlotValues } from './pageShape.ts';
import { stitchGzip } from './stitchedGzip.ts';
import { composePage, renderTemplate, fillTemplate } from './template.ts';

/** Prints a provider in every context of a page: text, attributes, style, links and images. */
function ProviderPart({ provider }: { provider: TenantView }) {
  return (
    <section aria-label={`About ${provider.label}`} data-provider={provider.id}>
      {provider.logoUrl === null ? null : <img src={provider.logoUrl} alt={provider.name} />}
      {provider.imageUrl === null ? <b>{provider.initial}</b> : <img src={provider.imageUrl} alt="" />}
      <h1>
        Welcome to {provider.name}, {provider.practiceName}
      </h1>
      {provider.phoneHref === null ? null : <a href={provider.phoneHref}>{provider.phone}</a>}
      {provider.websiteHref === null ? null : <a href={provider.websiteHref}>Visit Website</a>}
      <p>
        {provider.address} {provider.zipCode}
      </p>
      {provider.acceptsFinancing ? <p>Plans</p> : null}
    </section>
  );
}

function Page({ boot }: { boot: Boot }) {
  const provider = 'provider' in boot.page ? boot.page.provider : null;
  return (
    <main>
      <header>{boot.tenant === null ? 'Brand' : boot.tenant.label}</header>
      {provider === null ? <p>nobody</p> : <ProviderPart provider={provider} />}
      <input type="hidden" name="token" value={boot.formToken} />
    </main>
  );
}

const renderer: Renderer = {
  renderBody: (boot) => ({ html: renderToString(<Page boot={boot} />), css: 'b{color:red}' }),
  pageMeta: ({ tenant, page }) => {
    const provider = 'provider' in page ? page.provider : null;
    const title = `${provider?.name ?? 'Brand'} | certified`;
    return {
      title,
      description: title,
      canonical: tenant?.domain == null ? null : `https://${tenant.domain}/`,
      robots: 'index',
      og: {
        title,
        description: title,
        url: 'https://brand.example/',
        image: {
          url: `https://brand.example${provider?.shareImage ?? '/brand.png'}`,
          width: 1200,
          height: 630,
          alt: title,
        },
      },
      jsonLd:
        provider === null
          ? null
          : { '@type': 'MedicalClinic', name: provider.name, telephone: provider.phone },
    };
  },
  renderLeadForm: () => '<form></form>',
  renderMail: () => ({ subject: '', html: '', text: '' }),
  renderScreen: () => ({ title: '', html: '', css: '' }),
  isDeferred: () => false,
  preloads: ['/assets/f.woff2'],
};
const links = { script: '/assets/entry.js', modulePreloads: [], favicon: '/favicon.svg' };

function drawnFor(subject: Boot) {
  const template = renderTemplate({ renderer, links, boot: subject });
  if (template === null) throw new Error('no template stands for this page');
  return template;
}

test('a page from a template equals the page rendered directly, byte for byte', () => {
  fc.assert(
    fc.property(anyBoot, (subject) => {
      const template = drawnFor(subject);
      for (const served of [subject, findSibling(subject)]) {
        const filled = fillTemplate(template, listSlotValues(served));
        const direct = Buffer.from(renderDocument({ renderer, links, boot: served }).html);
        expect(composePage(template, filled).equals(direct)).toBe(true);
        expect(gunzipSync(stitchGzip(template.gzip, filled)).equals(direct)).toBe(true);
      }
    }),
    { numRuns: 150 },
  );
});

test('a template of one provider serves another of its shape', () => {
  const [first, second] = fc.sample(anyProvider, { numRuns: 2, seed: 7 });
  if (first === undefined || second === undefined) throw new Error('two clinics are needed');
  const alike = {
    ...first,
    id: second.id,
    name: 'Second </script> clinic',
    label: 'Second',
    zipCode: '80202',
  };
  const own = buildBoot({ kind: 'microsite', provider: first, form: null }, first);
  const other = buildBoot({ kind: 'microsite', provider: alike, form: null }, alike);
  expect(getShape(listSlotValues(other))).toBe(getShape(listSlotValues(own)));
  const template = drawnFor(own);
  const html = composePage(template, fillTemplate(template, listSlotValues(other))).toString();
  expect(html).toBe(renderDocument({ renderer, links, boot: other }).html);
  expect(html).toContain('Second &lt;/script&gt; clinic');
  expect(html).not.toContain('Second </script>');
});

test('the known text of a template is stored at one byte per character', () => {
  const [provider] = fc.sample(anyProvider, { numRuns: 1, seed: 7 });
  if (provider === undefined) throw new Error('a clinic is needed');
  const { stretches } = drawnFor(buildBoot({ kind: 'microsite', provider, form: null }, provider));
  const texts = stretches.filter((stretch) => typeof stretch === 'string');
  expect(texts.length).toBeGreaterThan(5);
  // V8 serializes a string as it is stored: tag `"` for one byte per character, `c` for two
  // (v8/src/objects/value-serializer.cc).
  const tags = texts.map((text) => /["c]/.exec(serialize(text).toString('latin1'))?.[0]);
  expect(new Set(tags)).toEqual(new Set(['"']));
});

test.each([
  ['takes a string apart', (view: TenantView) => view.name.slice(0, 4)],
  ['counts its letters', (view: TenantView) => String(view.name.length)],
  ['parses it as an address', (view: TenantView) => new URL(`https://${view.name}.example/`).href],
])('a component that %s gets no template', (_, print) => {
  const [own] = fc.sample(anyProvider, { numRuns: 1, seed: 3 });
  if (own === undefined) throw new Error('a clinic is needed');
  const named = { ...own, name: 'northside' };
  const odd: Renderer = {
    ...renderer,
    renderBody: ({ tenant }) => ({
      html: tenant === null ? '' : renderToString(<p>{print(tenant)}</p>),
      css: '',
    }),
  };
  expect(renderTemplate({ renderer: odd, links, boot: buildBoot({ kind: 'notFound' }, named) })).toBeNull();
});
