import { asciiJson } from '#shared/formats/asciiJson.ts';
import { type Boot, packBoot } from '#shared/pages/boot.ts';
import { brand } from '#shared/brand/brand.ts';
import styledPackage from 'styled-components/package.json' with { type: 'json' };
import { escapeHtml } from './escape.ts';
import type { PageMeta } from '#shared/pages/pageMeta.ts';
import type { Renderer } from './renderer.ts';
import { startAfterPaint } from './startScript.ts';

/** Addresses of what a page loads. */
export interface PageLinks {
  /** The one module script. */
  script: string;
  /** Chunks the script and the screen need, so that they load at once rather than one after the other. */
  modulePreloads: string[];
  /** What the browser is told of in the head, ahead of the code that will ask for it; null where a page is there to be read first. */
  early: EarlyLinks | null;
  favicon: string;
}

/** What a screen's scripts ask for by themselves, a step at a time if nobody told the browser before. */
export interface EarlyLinks {
  /** Asked for as Vite's own loader does, by a link with `crossorigin`. */
  styles: string[];
  /** Asked for by `fetch` with its defaults. */
  files: string[];
  /** Asked for by `fetch` with cookies, as our own interface is. */
  answers: string[];
}

/** The same on every page, so that the content security policy can name it by its hash. */
export const startScript = `(${startAfterPaint.toString()})()`;

interface DocumentInput {
  renderer: Renderer;
  links: PageLinks;
  boot: Boot;
  /** Applied to each JSON block once it is escaped; the template marks its slots there. */
  json?: (text: string) => string;
}

function headTags(meta: PageMeta, links: PageLinks, fonts: string[]): string {
  const tags = [
    `<title>${escapeHtml(meta.title)}</title>`,
    named('description', meta.description),
    named('robots', meta.robots === 'index' ? 'index, follow' : 'noindex'),
    meta.canonical === null ? '' : `<link rel="canonical" href="${escapeHtml(meta.canonical)}">`,
    property('og:type', 'website'),
    property('og:title', meta.og.title),
    property('og:description', meta.og.description),
    property('og:url', meta.og.url),
    property('og:site_name', brand.plainName),
    property('og:image', meta.og.image.url),
    property('og:image:width', String(meta.og.image.width)),
    property('og:image:height', String(meta.og.image.height)),
    property('og:image:alt', meta.og.image.alt),
    named('twitter:card', 'summary_large_image'),
    `<link rel="icon" href="${escapeHtml(links.favicon)}" type="image/svg+xml">`,
    ...fonts.map(
      (href) => `<link rel="preload" as="font" type="font/woff2" href="${escapeHtml(href)}" crossorigin>`,
    ),
  ];
  return tags.join('');
}

/** In the order of need: what brings the page to life, what it shows, what it is shown with. */
function earlyTags({ script, modulePreloads, early }: PageLinks): string {
  if (early === null) return '';
  const link = (attributes: string, hrefs: readonly string[]): string =>
    hrefs.map((href) => `<link ${attributes} href="${escapeHtml(href)}">`).join('');
  return [
    link('rel="modulepreload"', [script, ...modulePreloads]),
    link('rel="preload" as="fetch" crossorigin="use-credentials"', early.answers),
    link('rel="preload" as="style" crossorigin', early.styles),
    link('rel="preload" as="fetch" crossorigin', early.files),
  ].join('');
}

function named(name: string, content: string): string {
  return `<meta name="${name}" content="${escapeHtml(content)}">`;
}

function property(name: string, content: string): string {
  return `<meta property="${name}" content="${escapeHtml(content)}">`;
}

/** The hue that colours a page: of the clinic whose microsite is shown, else of the host's. */
function pageHue({ tenant, page }: Boot): number | null {
  return (page.kind === 'microsite' ? page.provider : tenant)?.themeHue ?? null;
}

/**
 * A whole page in one pass. Also returns the style tag's exact text, for the content security policy. The style tag names the library's
 * version as its browser side looks for it there to take the rules over.
 */
export function renderDocument({ renderer, links, boot, json = (text) => text }: DocumentInput): {
  html: string;
  css: string;
} {
  const { html: body, css: rawCss } = renderer.renderBody(boot);
  // A browser reads CRLF as LF before it hashes; `</style` would end the tag.
  const css = rawCss.replaceAll('\r', '');
  if (/<\/style/i.test(css)) throw new Error('The styles contain a closing style tag');
  const meta = renderer.pageMeta(boot);
  const hue = pageHue(boot);
  const block = (attributes: string, value: object): string =>
    `<script ${attributes}>${json(asciiJson(value))}</script>`;
  const html = [
    `<!doctype html><html lang="en"${hue === null ? '' : ` data-themed="" style="--hue:${hue}"`}><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    headTags(meta, links, renderer.preloads),
    earlyTags(links),
    `<style data-styled="true" data-styled-version="${styledPackage.version}">${css}</style></head>`,
    `<body><div id="root">${body}</div>`,
    block('type="application/json" id="boot"', packBoot(boot)),
    meta.jsonLd === null ? '' : block('type="application/ld+json"', meta.jsonLd),
    `<script data-script="${escapeHtml(links.script)}" data-chunks="${escapeHtml(links.modulePreloads.join(' '))}"${links.early === null ? '' : ' data-at-once'}>${startScript}</script>`,
    '</body></html>',
  ];
  return { html: html.join(''), css };
}
