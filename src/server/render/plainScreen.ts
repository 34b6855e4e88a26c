import type { PlainScreenName, PlainScreenProps, PlainScreenTenant } from '#shared/pages/plainScreen.ts';
import { toView } from '../tenant/providerRecord.ts';
import type { Site } from '../tenant/site.ts';
import type { AppContext } from '../tenant/tenant.ts';
import { type Bundle, getRenderer } from './bundle.ts';
import { hashSource, type Policies } from './csp.ts';
import { escapeHtml } from '../../shared/formats/text.ts';
import type { Renderer } from './document.ts';
import { brand } from '#shared/brand/brand.ts';
import { brandColors } from '#shared/brand/colors.ts';
import { messages } from '#shared/brand/messages.ts';
import { paths } from '#shared/pages/paths.ts';
import { AppError } from '../errors.ts';

export interface PlainScreen<Name extends PlainScreenName> {
  name: Name;
  props: PlainScreenProps[Name];
  status: number;
}

interface DrawnPage {
  html: Buffer;
  policies: Policies;
}

/**
 * Screens that are the same for everyone, by name, props and the host's provider: a dozen for each. Anyone can request
 * them with made-up tokens. Screens with a form contain its token, so they are rendered for one request.
 */
const drawnOnce = new WeakMap<Bundle, Map<string, DrawnPage>>();
/** Above this, all are dropped. */
const keptPagesMax = 200;

/**
 * Sends a screen without a script, never stored. Its URL is a key, so no referrer is sent, not even to our own pages.
 */
export async function sendPlainScreen<Name extends PlainScreenName>(
  ctx: AppContext,
  bundle: Bundle,
  { name, props, status }: PlainScreen<Name>,
): Promise<void> {
  const tenant = getTenant(ctx.state.site);
  const { html, policies } =
    'formToken' in props || bundle.development !== null
      ? renderPage(await getRenderer(bundle), { name, props }, tenant)
      : await keptPage(bundle, { name, props }, tenant);
  ctx.status = status;
  ctx.set({
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
    'Content-Security-Policy': policies[ctx.state.client.protocol],
  });
  ctx.body = html;
}

function getTenant({ tenant }: Site): PlainScreenTenant {
  if (tenant === null) return null;
  const { name, logoUrl, initial, iconTag } = toView(tenant);
  return { name, logoUrl, initial, iconTag };
}

async function keptPage<Name extends PlainScreenName>(
  bundle: Bundle,
  screen: Pick<PlainScreen<Name>, 'name' | 'props'>,
  tenant: PlainScreenTenant,
): Promise<DrawnPage> {
  const kept = drawnOnce.get(bundle) ?? new Map<string, DrawnPage>();
  drawnOnce.set(bundle, kept);
  const key = JSON.stringify([screen, tenant]);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const page = renderPage(await getRenderer(bundle), screen, tenant);
  if (kept.size >= keptPagesMax) kept.clear();
  kept.set(key, page);
  return page;
}

function renderPage<Name extends PlainScreenName>(
  renderer: Renderer,
  { name, props }: Pick<PlainScreen<Name>, 'name' | 'props'>,
  tenant: PlainScreenTenant,
): DrawnPage {
  const { title, html, css: rawCss } = renderer.renderScreen(name, props, tenant);
  // A browser reads CRLF as LF before it computes the hash.
  const css = rawCss.replaceAll('\r', '');
  const fonts = renderer.preloads.map(
    (href) => `<link rel="preload" as="font" type="font/woff2" href="${escapeHtml(href)}" crossorigin>`,
  );
  const page = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title><meta name="robots" content="noindex">`,
    `<link rel="icon" href="/favicon.svg${tenant === null ? '' : `?v=${tenant.iconTag}`}" type="image/svg+xml">`,
    `${fonts.join('')}<style>${css}</style></head><body>${html}</body></html>`,
  ];
  const images = tenant?.logoUrl?.startsWith('data:') === true ? "'self' data:" : "'self'";
  return { html: Buffer.from(page.join('')), policies: plainScreenPolicies(css, images) };
}

const screenMethods = ['GET', 'HEAD', 'POST'];

/** Throws METHOD_NOT_SUPPORTED for what neither shows a screen nor sends its form. */
export function expectScreenMethod(ctx: AppContext): void {
  if (screenMethods.includes(ctx.method)) return;
  ctx.set('Allow', screenMethods.join(', '));
  throw new AppError('METHOD_NOT_SUPPORTED', 'Use GET or POST.');
}

/** After the form was sent: redirects to the screen, which shows the result, also when it is reloaded. */
export function backToScreen(ctx: AppContext): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.status = 303;
  ctx.set('Location', `${ctx.path}${ctx.search}`);
  ctx.body = '';
  ctx.remove('Content-Type');
}

/** Both policies of a page that loads only its fonts and images. `css` is the exact text of its one style tag. */
export function plainScreenPolicies(css: string, images = "'self'"): Policies {
  const http = [
    "default-src 'none'",
    `style-src ${hashSource(css)}`,
    `img-src ${images}`,
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { http, https: `${http}; upgrade-insecure-requests` };
}

const css = [
  `body{margin:15vh auto;max-width:34rem;padding:0 1.25rem;font:1.125rem/1.5 system-ui,sans-serif;color:#333}`,
  `h1{font-size:1.75rem;line-height:1.2;color:${brandColors.primary}}a{color:${brandColors.secondary}}`,
].join('');

/** Created once and the same for everyone: a network that sends many invalid forms causes no rendering. */
function smallPage({ title, text }: { title: string; text: string }): Buffer {
  return Buffer.from(
    [
      '<!doctype html><html lang="en"><head><meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      `<title>${escapeHtml(`${title} | ${brand.plainName}`)}</title><meta name="robots" content="noindex">`,
      `<style>${css}</style></head><body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`,
      `<p><a href="${paths.home}">${escapeHtml(messages.home)}</a></p></main></body></html>`,
    ].join(''),
  );
}

const pages = {
  tooManyFailures: smallPage(messages.tooManyFailures),
  formNotTaken: smallPage(messages.formNotTaken),
};
const policies = plainScreenPolicies(css);

function send(
  ctx: AppContext,
  html: Buffer,
  { status, waitSeconds }: { status: number; waitSeconds: number },
) {
  ctx.status = status;
  ctx.set({
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Retry-After': String(waitSeconds),
    'Content-Security-Policy': policies[ctx.state.client.protocol],
  });
  ctx.body = html;
}

/** Responds to a plain form after too many failures of its network: 429 with a small page. */
export function sendTooManyFailures(ctx: AppContext, waitSeconds: number): void {
  send(ctx, pages.tooManyFailures, { status: 429, waitSeconds });
}

/** Responds to a plain form after a server failure or a limit: the error's status with a small page. */
export function sendFormNotTaken(ctx: AppContext, { status, retryAfterSeconds = 5 }: AppError): void {
  send(ctx, pages.formNotTaken, { status, waitSeconds: Math.ceil(retryAfterSeconds) });
}
