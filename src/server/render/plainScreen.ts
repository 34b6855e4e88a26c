import type Koa from 'koa';
import type { PlainScreenName, PlainScreenProps } from '#shared/pages/plainScreen.ts';
import type { AppState } from '../tenant/tenant.ts';
import type { Bundle } from './bundle.ts';
import { hashSource } from './csp.ts';
import { escapeHtml } from './escape.ts';
import type { Renderer } from './renderer.ts';
import { rendererOf } from './rendererOf.ts';

export interface PlainScreen<Name extends PlainScreenName> {
  name: Name;
  props: PlainScreenProps[Name];
  status: number;
}

interface DrawnPage {
  html: string;
  css: string;
}

/** Screens that are the same for everyone, by name and props: a dozen. Anyone can request them with made-up tokens. */
const drawnOnce = new WeakMap<Bundle, Map<string, DrawnPage>>();

/**
 * Sends a screen without a script, never stored. A screen that names a person is rendered for this request only. Its
 * URL is a key, so no referrer is sent, not even to our own pages.
 */
export async function sendPlainScreen<Name extends PlainScreenName>(
  ctx: Koa.ParameterizedContext<AppState>,
  bundle: Bundle,
  { name, props, status }: PlainScreen<Name>,
): Promise<void> {
  const { html, css } =
    props.state === 'open' || bundle.development !== null
      ? drawPage(await rendererOf(bundle), name, props)
      : await keptPage(bundle, name, props);
  ctx.status = status;
  ctx.set({
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
    'Content-Security-Policy': plainScreenPolicy(css, ctx.state.client.protocol === 'https'),
  });
  ctx.body = html;
}

async function keptPage<Name extends PlainScreenName>(
  bundle: Bundle,
  name: Name,
  props: PlainScreenProps[Name],
): Promise<DrawnPage> {
  const kept = drawnOnce.get(bundle) ?? new Map<string, DrawnPage>();
  drawnOnce.set(bundle, kept);
  const key = JSON.stringify([name, props]);
  const page = kept.get(key) ?? drawPage(await rendererOf(bundle), name, props);
  kept.set(key, page);
  return page;
}

function drawPage<Name extends PlainScreenName>(
  renderer: Renderer,
  name: Name,
  props: PlainScreenProps[Name],
): DrawnPage {
  const { title, html, css: rawCss } = renderer.drawScreen(name, props);
  // A browser reads CRLF as LF before it computes the hash.
  const css = rawCss.replaceAll('\r', '');
  const fonts = renderer.preloads.map(
    (href) => `<link rel="preload" as="font" type="font/woff2" href="${escapeHtml(href)}" crossorigin>`,
  );
  const page = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title><meta name="robots" content="noindex">`,
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    `${fonts.join('')}<style>${css}</style></head><body>${html}</body></html>`,
  ];
  return { html: page.join(''), css };
}

/** After the form was sent: redirects to the screen, which shows the result, also when it is reloaded. */
export function backToScreen(ctx: Koa.ParameterizedContext<AppState>): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.status = 303;
  ctx.set('Location', ctx.path);
  ctx.body = '';
  ctx.remove('Content-Type');
}

/** The policy of a page that loads only its fonts and images. `css` is the exact text of its one style tag. */
export function plainScreenPolicy(css: string, secure: boolean): string {
  return [
    "default-src 'none'",
    `style-src ${hashSource(css)}`,
    "img-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}
