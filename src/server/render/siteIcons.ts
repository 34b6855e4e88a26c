import { brand } from '#shared/brand/brand.ts';
import { buildEtag, isUnchanged } from '../http/requestHeaders.ts';
import { toView } from '../tenant/providerRecord.ts';
import type { Site } from '../tenant/site.ts';
import type { AppContext, AppMiddleware } from '../tenant/tenant.ts';
import { forADay, forEver, shortly } from './shareImages/shareImages.ts';
import { contentTag, type DrawnPictures, tooManyPictures } from './shareImages/pictureCache.ts';
import { findLogoOwner, type FindLogo, logoIconSvg } from './shareImages/providerLogo.ts';
import { brandIconSvg, iconColor, iconLetter, iconSvg, type SiteIcon } from './shareImages/siteIcon.ts';

/** What a site is called and looks like outside its pages. */
interface SiteLook {
  name: string;
  /** Of the provider's record; null for the brand's, which changes only with a release. */
  tag: string | null;
  icon: SiteIcon | 'brand';
  svg: string;
  hue: number | null;
  /** The provider whose logo comes first; null: there is none, or only its own site has it. */
  logoOf: number | null;
}

const brandLook: SiteLook = {
  name: brand.plainName,
  tag: null,
  icon: 'brand',
  svg: brandIconSvg,
  hue: null,
  logoOf: null,
};

function getLook({ tenant }: Site): SiteLook {
  if (tenant === null) return brandLook;
  const view = toView(tenant);
  const { label, themeHue, iconTag: tag } = view;
  const icon = { letter: iconLetter(label), hue: themeHue };
  return { name: label, tag, icon, svg: iconSvg(icon), hue: themeHue, logoOf: findLogoOwner(view) };
}

/** The sizes of icons by path: of a phone's home screen, and those that the manifest names. */
const pngSizes: Record<string, number> = {
  '/apple-touch-icon.png': 180,
  '/icon-192.png': 192,
  '/icon-512.png': 512,
};

/** Paths that answer with the host's own icon or name. */
const siteIconPaths: ReadonlySet<string> = new Set([
  '/favicon.svg',
  '/site.webmanifest',
  ...Object.keys(pngSizes),
]);

/** Web Application Manifest (W3C). A site stays a page of the browser: it is no application. */
function manifest({ name, hue, tag }: SiteLook): string {
  const version = tag === null ? '' : `?v=${tag}`;
  const icon = (size: number) => ({
    src: `/icon-${size}.png${version}`,
    sizes: `${size}x${size}`,
    type: 'image/png',
  });
  return JSON.stringify({
    name,
    short_name: name,
    start_url: '/',
    display: 'browser',
    theme_color: iconColor(hue),
    background_color: '#ffffff',
    icons: [icon(192), icon(512)],
  });
}

/**
 * A link from the provider's current pages has the version of its record (`?v=`). Earlier links show what is current.
 * The brand's changes with a release.
 */
function getCaching({ querystring }: AppContext, { tag }: SiteLook): string {
  if (tag === null) return forADay;
  return new URLSearchParams(querystring).get('v') === tag ? forEver : shortly;
}

interface Text {
  type: string;
  text: string;
  caching: string;
}

function sendText(ctx: AppContext, { type, text, caching }: Text): void {
  ctx.set('Cache-Control', caching);
  if (isUnchanged(ctx, buildEtag(text))) return;
  ctx.set('Content-Type', type);
  ctx.body = text;
}

/** Raise it when the drawing changes in another way than the SVG. */
const drawing = 1;

interface SiteIconsDeps {
  pictures: DrawnPictures;
  findLogo: FindLogo;
}

/**
 * `/favicon.svg`, `/apple-touch-icon.png` and `/site.webmanifest` with its icons: the first letter of the host's
 * provider in its color, otherwise the brand's. The favicon shows the provider's logo instead if that fits a square.
 * Throws TOO_MANY_REQUESTS if a provider's PNG is not available now.
 */
export function siteIcons({ pictures, findLogo }: SiteIconsDeps): AppMiddleware {
  async function sendFavicon(ctx: AppContext, look: SiteLook): Promise<void> {
    const { svg, logoOf } = look;
    const logo = logoOf === null ? undefined : await findLogo(logoOf, ctx.state.client.ip);
    const text = (logo && logoIconSvg(logo)) ?? svg;
    const caching = getCaching(ctx, look);
    // The picture at a logo's address may change, and one that isn't available may be soon.
    const ofLogo = logo === undefined || caching === shortly ? shortly : forADay;
    sendText(ctx, { type: 'image/svg+xml', text, caching: logoOf === null ? caching : ofLogo });
  }

  async function sendPng(ctx: AppContext, look: SiteLook, size: number): Promise<void> {
    const { icon, svg } = look;
    const order = { icon, size };
    const tag = contentTag(`${drawing}${svg}`, order);
    ctx.set('Cache-Control', getCaching(ctx, look));
    if (isUnchanged(ctx, `"${tag}"`)) return;
    const png = await pictures.get(tag, order, icon === 'brand' ? null : ctx.state.client.ip);
    if (png === null) throw tooManyPictures();
    ctx.type = 'image/png';
    ctx.body = png;
  }

  return (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (!isRead || !siteIconPaths.has(ctx.path)) return next();
    const look = getLook(ctx.state.site);
    const size = pngSizes[ctx.path];
    if (size !== undefined) return sendPng(ctx, look, size);
    if (ctx.path === '/favicon.svg') return sendFavicon(ctx, look);
    return sendText(ctx, {
      ...{ type: 'application/manifest+json', text: manifest(look) },
      caching: getCaching(ctx, look),
    });
  };
}
