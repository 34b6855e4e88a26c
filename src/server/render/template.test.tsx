import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Boot, PageData } from '#shared/boot.ts';
import type { TenantView } from '#shared/tenant.ts';
import { renderDocument } from './document.ts';
import type { Renderer } from './renderer.ts';
import { shapeOf, slotValuesOf } from './slots.ts';
import { composeGzip, composePage, drawTemplate, fillTemplate } from './template.ts';

/** Prints a clinic wherever a page may: in text, beside text, in attributes and style, as links and images. */
function ClinicPart({ clinic }: { clinic: TenantView }) {
  return (
    <section aria-label={`About ${clinic.label}`} data-provider={clinic.id}>
      {clinic.logoUrl === null ? null : <img src={clinic.logoUrl} alt={clinic.name} />}
      {clinic.imageUrl === null ? <b>{clinic.initial}</b> : <img src={clinic.imageUrl} alt="" />}
      <h1>
        Welcome to {clinic.name}, {clinic.practiceName}
      </h1>
      {clinic.phoneHref === null ? null : <a href={clinic.phoneHref}>{clinic.phone}</a>}
      {clinic.websiteHref === null ? null : <a href={clinic.websiteHref}>Visit Website</a>}
      <p>
        {clinic.address} {clinic.zipCode}
      </p>
      {clinic.acceptsFinancing ? <p>Plans</p> : null}
    </section>
  );
}

function Page({ boot }: { boot: Boot }) {
  const clinic = 'clinic' in boot.page ? boot.page.clinic : null;
  return (
    <main>
      <header>{boot.tenant === null ? 'Brand' : boot.tenant.label}</header>
      {clinic === null ? <p>nobody</p> : <ClinicPart clinic={clinic} />}
      <input type="hidden" name="token" value={boot.formToken} />
    </main>
  );
}

const renderer: Renderer = {
  renderBody: (boot) => ({ html: renderToString(<Page boot={boot} />), css: 'b{color:red}' }),
  pageMeta: ({ tenant, page }) => {
    const clinic = 'clinic' in page ? page.clinic : null;
    const title = `${clinic?.name ?? 'Brand'} | certified`;
    return {
      title,
      description: title,
      canonical: tenant?.domain == null ? null : `https://${tenant.domain}/`,
      robots: 'index',
      og: {
        title,
        description: title,
        url: 'https://brand.example/',
        image: clinic?.imageUrl?.startsWith('/')
          ? `https://brand.example${clinic.imageUrl}`
          : (clinic?.imageUrl ?? null),
      },
      jsonLd:
        clinic === null ? null : { '@type': 'MedicalClinic', name: clinic.name, telephone: clinic.phone },
    };
  },
  renderLeadForm: () => '<form></form>',
  preloads: ['/assets/f.woff2'],
  pageModules: { landing: '', microsite: '', success: '', policy: '', providerNotFound: '', notFound: '' },
};
const links = { script: '/assets/entry.js', modulePreloads: [], favicon: '/favicon.svg' };

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
const clinic: fc.Arbitrary<TenantView> = fc.record({
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
  domain: orNull(hostileText),
  themeHue: fc.option(fc.integer({ min: 0, max: 359 }), { nil: null }),
  acceptsFreeConsultation: fc.boolean(),
  acceptsFinancing: fc.boolean(),
});

function bootOf(page: PageData, tenant: TenantView | null): Boot {
  const contacts = { email: 'a@b.example', phone: '555', postalAddress: 'x', arbitrationPlace: 'y' };
  const site = {
    mainOrigin: 'https://brand.example',
    contacts,
    providerSignupUrl: 'https://c.example',
    starterKitUrl: 'https://d.example',
  };
  return { site, tenant, page, formToken: 'to"ken', today: '2026-01-02' };
}

const boot: fc.Arbitrary<Boot> = fc.oneof(
  clinic.map((own) => bootOf({ kind: 'microsite', clinic: own, form: null }, own)),
  clinic.map((named) => bootOf({ kind: 'microsite', clinic: named, form: null }, null)),
  clinic.map((own) => bootOf({ kind: 'policy', policy: 'terms' }, own)),
  fc
    .tuple(clinic, clinic)
    .map(([own, named]) =>
      bootOf({ kind: 'success', noProvider: false, providerId: named.id, clinic: named }, own),
    ),
  fc
    .integer({ min: 1 })
    .map((providerId) => bootOf({ kind: 'success', noProvider: false, providerId, clinic: null }, null)),
);

function drawnFor(subject: Boot) {
  const template = drawTemplate({ renderer, links, boot: subject });
  if (template === null) throw new Error('no template stands for this page');
  return template;
}

test('a page composed from a template equals the page drawn directly, byte for byte, whatever a clinic is called', () => {
  const templates = new Map<string, ReturnType<typeof drawnFor>>();
  fc.assert(
    fc.property(boot, (subject) => {
      const values = slotValuesOf(subject);
      const key = `${subject.page.kind}/${shapeOf(values)}`;
      const template = templates.get(key) ?? drawnFor(subject);
      templates.set(key, template);
      const filled = fillTemplate(template, values);
      const direct = Buffer.from(renderDocument({ renderer, links, boot: subject }).html);
      expect(composePage(template, filled).equals(direct)).toBe(true);
      expect(gunzipSync(composeGzip(template, filled)).equals(direct)).toBe(true);
    }),
    { numRuns: 400 },
  );
});

test('a template made for one clinic serves another of its shape', () => {
  const [first, second] = fc.sample(clinic, { numRuns: 2, seed: 7 });
  if (first === undefined || second === undefined) throw new Error('two clinics are needed');
  const alike = {
    ...first,
    id: second.id,
    name: 'Second </script> clinic',
    label: 'Second',
    zipCode: '80202',
  };
  const own = bootOf({ kind: 'microsite', clinic: first, form: null }, first);
  const other = bootOf({ kind: 'microsite', clinic: alike, form: null }, alike);
  expect(shapeOf(slotValuesOf(other))).toBe(shapeOf(slotValuesOf(own)));
  const template = drawnFor(own);
  const html = composePage(template, fillTemplate(template, slotValuesOf(other))).toString();
  expect(html).toBe(renderDocument({ renderer, links, boot: other }).html);
  expect(html).toContain('Second &lt;/script&gt; clinic');
  expect(html).not.toContain('Second </script>');
});

test.each([
  ['takes a string apart', (view: TenantView) => view.name.slice(0, 4)],
  ['counts its letters', (view: TenantView) => String(view.name.length)],
  ['parses it as an address', (view: TenantView) => new URL(`https://${view.name}.example/`).href],
])('a component that %s gets no template', (_, print) => {
  const [own] = fc.sample(clinic, { numRuns: 1, seed: 3 });
  if (own === undefined) throw new Error('a clinic is needed');
  const named = { ...own, name: 'northside' };
  const odd: Renderer = {
    ...renderer,
    renderBody: ({ tenant }) => ({
      html: tenant === null ? '' : renderToString(<p>{print(tenant)}</p>),
      css: '',
    }),
  };
  expect(drawTemplate({ renderer: odd, links, boot: bootOf({ kind: 'notFound' }, named) })).toBeNull();
});
