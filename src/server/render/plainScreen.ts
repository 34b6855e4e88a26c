import type Koa from 'koa';
import type { PlainScreenName, PlainScreenProps } from '#shared/plainScreen.ts';
import type { AppState } from '../tenant/tenant.ts';
import type { Bundle } from './bundle.ts';
import { hashSource } from './csp.ts';
import { escapeHtml } from './escape.ts';
import { rendererOf } from './rendererOf.ts';

export interface PlainScreen<Name extends PlainScreenName> {
  name: Name;
  props: PlainScreenProps[Name];
  status: number;
}

/**
 * Sends a screen of one question: drawn for this request, kept by nobody, without a script. Its address is a key, so it is told to no one, not
 * even to our own pages.
 */
export async function sendPlainScreen<Name extends PlainScreenName>(
  ctx: Koa.ParameterizedContext<AppState>,
  bundle: Bundle,
  { name, props, status }: PlainScreen<Name>,
): Promise<void> {
  const renderer = await rendererOf(bundle);
  const { title, html, css: rawCss } = renderer.drawScreen(name, props);
  // A browser reads CRLF as LF before it hashes.
  const css = rawCss.replaceAll('\r', '');
  const fonts = renderer.preloads.map(
    (href) => `<link rel="preload" as="font" type="font/woff2" href="${escapeHtml(href)}" crossorigin>`,
  );
  const secure = ctx.state.client.protocol === 'https';
  ctx.status = status;
  ctx.set({
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
    'Content-Security-Policy': plainScreenPolicy(css, secure),
  });
  ctx.body = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title><meta name="robots" content="noindex">`,
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    `${fonts.join('')}<style>${css}</style></head><body>${html}</body></html>`,
  ].join('');
}

/** After its form was sent: to the screen again, which then says what came of it, however often it is reloaded. */
export function backToScreen(ctx: Koa.ParameterizedContext<AppState>): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.status = 303;
  ctx.set('Location', ctx.path);
  ctx.body = '';
  ctx.remove('Content-Type');
}

/** The policy of a page that loads nothing but its fonts and pictures. `css` is the exact text of its one style tag. */
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
