import { styleTagEnd } from '#shared/pages/styleTags.ts';
import { asciiJson, escapeHtml } from '#shared/formats/text.ts';
import { type Boot, packBoot } from '#shared/pages/boot.ts';
import { brand } from '#shared/brand/brand.ts';
import { brandColors } from '#shared/brand/colors.ts';
import { hueShades } from '#shared/pages/hueShades.ts';
import type { PageKind } from '#shared/pages/pages.ts';
import type { PageMeta } from '#shared/pages/pageMeta.ts';
import type { FormKey } from '#shared/leads/leadForms.ts';
import type { RenderedMail, MailName, MailProps } from '#shared/mail/mail.ts';
import type { RenderScreen } from '#shared/pages/plainScreen.ts';

import styledPackage from 'styled-components/package.json' with { type: 'json' };

export interface PageLinks {
  script: string;
  /** Chunks that the script and the page need, so that they load in parallel. */
  modulePreloads: string[];
  favicon: string;
}

const startSource = startAfterPaint
  .toString()
  .replaceAll(/\s+/g, ' ')
  .replaceAll(/ ?([{}();,=]) ?/g, '$1');
/** The same on every page, so that the content security policy can contain its hash. */
export const startScript = `(${startSource})()`;

interface DocumentInput {
  renderer: Renderer;
  links: PageLinks;
  boot: Boot;
  /** Applied to each escaped JSON block. A template marks its slots there. */
  json?: (text: string) => string;
}

/** The color of a phone's browser around the page: that of the strip at its top. Prints the hue unchanged. */
function themeColor(hue: number | null): string {
  const { lightness, chroma } = hueShades.primary;
  return hue === null ? brandColors.primary : `oklch(${lightness} ${chroma} ${hue})`;
}

/** A provider's site has a name and icons of its own (siteIcons.ts). */
function siteTags({ tenant }: Boot, { favicon }: PageLinks): string[] {
  const version = tenant === null ? '' : `?v=${tenant.iconTag}`;
  return [
    property('og:site_name', tenant === null ? brand.plainName : tenant.label),
    `<link rel="icon" href="${escapeHtml(`${favicon}${version}`)}" type="image/svg+xml">`,
    `<link rel="apple-touch-icon" href="/apple-touch-icon.png${version}">`,
    `<link rel="manifest" href="/site.webmanifest${version}">`,
  ];
}

function headTags(meta: PageMeta, fonts: string[]): string {
  const tags = [
    `<title>${escapeHtml(meta.title)}</title>`,
    named('description', meta.description),
    named('robots', meta.robots === 'index' ? 'index, follow' : 'noindex'),
    meta.canonical === null ? '' : `<link rel="canonical" href="${escapeHtml(meta.canonical)}">`,
    property('og:type', 'website'),
    property('og:title', meta.og.title),
    property('og:description', meta.og.description),
    property('og:url', meta.og.url),
    property('og:image', meta.og.image.url),
    property('og:image:width', String(meta.og.image.width)),
    property('og:image:height', String(meta.og.image.height)),
    property('og:image:alt', meta.og.image.alt),
    named('twitter:card', 'summary_large_image'),
    ...fonts.map(
      (href) => `<link rel="preload" as="font" type="font/woff2" href="${escapeHtml(href)}" crossorigin>`,
    ),
  ];
  return tags.join('');
}

function named(name: string, content: string): string {
  return `<meta name="${name}" content="${escapeHtml(content)}">`;
}

function property(name: string, content: string): string {
  return `<meta property="${name}" content="${escapeHtml(content)}">`;
}

/** The hue of a page: of the microsite's provider, otherwise of the host's. */
function pageHue({ tenant, page }: Boot): number | null {
  return (page.kind === 'microsite' ? page.provider : tenant)?.themeHue ?? null;
}

/** Renders a whole page, and returns the style tags' exact text for the CSP. The last has the library's version. */
export function renderDocument({ renderer, links, boot, json = (text) => text }: DocumentInput): {
  html: string;
  css: string;
} {
  const { html: body, css: rawCss } = renderer.renderBody(boot);
  // A browser reads CRLF as LF before it computes the hash. `</style` would close the tag.
  const css = rawCss.replaceAll('\r', '');
  if (/<\/style/i.test(css)) throw new Error('The styles contain a closing style tag');
  const fonts = css.split(styleTagEnd);
  const styled = fonts.pop() ?? '';
  const meta = renderer.pageMeta(boot);
  const hue = pageHue(boot);
  const block = (attributes: string, value: object): string =>
    `<script ${attributes}>${json(asciiJson(value))}</script>`;
  const html = [
    `<!doctype html><html lang="en"${hue === null ? '' : ` data-themed="" style="--hue:${hue}"`}><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    named('theme-color', themeColor(hue)),
    headTags(meta, renderer.preloads),
    ...siteTags(boot, links),
    ...fonts.map((text) => `<style>${text}</style>`),
    `<style data-styled="true" data-styled-version="${styledPackage.version}">${styled}</style></head>`,
    `<body><div id="root">${body}</div>`,
    block('type="application/json" id="boot"', packBoot(boot)),
    meta.jsonLd === null ? '' : block('type="application/ld+json"', meta.jsonLd),
    `<script data-script="${escapeHtml(links.script)}" data-chunks="${escapeHtml(links.modulePreloads.join(' '))}">${startScript}</script>`,
    '</body></html>',
  ];
  return { html: html.join(''), css };
}

/**
 * Runs in the browser at the end of every page. Its source is put into the page, so it uses nothing from outside
 * itself. It loads the code named on its own element after the first paint, because before that the code would compete
 * with the content for network and processor. A page in a background tab is never painted, and an old browser does not
 * report paints: neither waits long. Enter in a form that only its script can send (client/admin/signIn/SignInForm.tsx)
 * is remembered until the page is live.
 */
function startAfterPaint(): void {
  const { script = '', chunks = '' } = document.currentScript?.dataset ?? {};
  const longestWaitMs = 2_000;
  let isStarted = false;

  function add(name: string, properties: object): void {
    document.head.append(Object.assign(document.createElement(name), properties));
  }

  function start(): void {
    if (isStarted) return;
    isStarted = true;
    for (const href of chunks.split(' ').filter(Boolean)) add('link', { rel: 'modulepreload', href });
    add('script', { type: 'module', src: script });
  }

  document.addEventListener('keydown', ({ key, target }) => {
    const form = key === 'Enter' && target instanceof HTMLInputElement ? target.form : null;
    if (form?.dataset['waits'] !== undefined) form.dataset['sentEarly'] = '';
  });
  document.addEventListener('DOMContentLoaded', () => {
    if (document.visibilityState === 'hidden') start();
    setTimeout(start, longestWaitMs);
    new PerformanceObserver(start).observe({ type: 'paint', buffered: true });
  });
}

/** The exports of `src/client/app/entryServer.tsx` after bundling. */
export interface Renderer {
  /** The content of `#root`, and the text of the page's style tags. */
  renderBody: (boot: Boot) => { html: string; css: string };
  pageMeta: (boot: Boot) => PageMeta;
  /** The lead form only, as evidence of what a visitor saw. */
  renderLeadForm: (form: FormKey, boot: Boot) => string;
  /** A message: subject, HTML and text. */
  renderMail: <Name extends MailName>(name: Name, props: MailProps[Name]) => RenderedMail;
  renderScreen: RenderScreen;
  /** Whether a page loads its code only once the visitor does anything. */
  isDeferred: (kind: PageKind) => boolean;
  /** URLs of the fonts that every page preloads. */
  preloads: string[];
}

/** Whether a loaded module is the renderer. A wrong entry fails here and not at the first request. */
export function isRenderer(module: object): module is Renderer {
  return (
    'renderBody' in module &&
    typeof module.renderBody === 'function' &&
    'pageMeta' in module &&
    typeof module.pageMeta === 'function' &&
    'renderLeadForm' in module &&
    typeof module.renderLeadForm === 'function' &&
    'renderMail' in module &&
    typeof module.renderMail === 'function' &&
    'renderScreen' in module &&
    typeof module.renderScreen === 'function' &&
    'isDeferred' in module &&
    typeof module.isDeferred === 'function' &&
    'preloads' in module &&
    Array.isArray(module.preloads)
  );
}
