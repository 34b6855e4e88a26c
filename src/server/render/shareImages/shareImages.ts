import type { Context, Middleware } from 'koa';
import {
  mailLogoPath,
  brandShareImage,
  brandShareImagePath,
  type ShareImage,
} from '#shared/shareImages/shareImage.ts';
import { clientAddress } from '#server/security/clientAddress.ts';
import { isUnchanged, matchesEtag } from '#server/http/requestHeaders.ts';
import { toView } from '#server/tenant/providerRecord.ts';
import type { TenantDirectory } from '#server/tenant/site.ts';
import { findLogoOwner, type FindLogo, shareImageLogo } from './providerLogo.ts';
import { contentTag, type DrawnPictures, tooManyPictures } from './pictureCache.ts';

/** An image and its current path. */
export interface SharedLink {
  path: string;
  image: Drawing;
  /** The provider whose logo is part of it; null: none. */
  logoOf: number | null;
}

/** A shared link's image without a logo, or the logo above messages. */
type Drawing = ShareImage | 'mail-logo';

interface ShareImagesDeps {
  /** The link of an active provider; null for an unknown id. */
  getLink: (providerId: number) => SharedLink | null | Promise<SharedLink | null>;
  findLogo: FindLogo;
  pictures: DrawnPictures;
  trustedProxies: number;
}

const prefix = '/og/';
const pathPattern = /^\/og\/(brand|mail|[1-9]\d{0,14})\/[0-9a-z]{1,8}\.png$/;
export const forEver = 'public, max-age=31536000, immutable';
export const forADay = 'public, max-age=86400';
export const shortly = 'public, max-age=60';
/** Requests that are not for a provider. */
const brandLinks = new Map<string, SharedLink>([
  ['brand', { path: brandShareImagePath, image: brandShareImage, logoOf: null }],
  ['mail', { path: mailLogoPath, image: 'mail-logo', logoOf: null }],
]);

/** Its path changes with everything that an image is drawn from besides its own content and the picture of a logo. */
function buildTag({ path, image }: SharedLink, logo: string): string {
  return contentTag(`${path.slice(path.lastIndexOf('/') + 1)}${logo}`, image);
}

/**
 * `GET /og/{brand|mail|providerId}/{tag}.png`: the image of a shared link or above a message. Its current URL may be
 * cached forever; an earlier one redirects to it. An unknown id is a 404 and draws nothing; the client's URL never
 * decides what is drawn. A provider's logo is part of its image if it can be loaded and drawn; the picture at a logo's
 * address may change, so that an image with one is cached for a day. If a provider's image is not available (a limit
 * was reached, or drawing failed), the response redirects to the brand's, so that a preview always has an image.
 */
export function shareImages(deps: ShareImagesDeps): Middleware {
  const { getLink, findLogo, pictures, trustedProxies } = deps;

  async function answer(ctx: Context, owner: string): Promise<void> {
    const link = brandLinks.get(owner) ?? (await getLink(Number(owner)));
    if (link === null) {
      ctx.status = 404;
      ctx.set('Cache-Control', shortly);
      ctx.body = 'Not Found';
      return;
    }
    // Meant to be shown on other sites.
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
    if (ctx.path !== link.path) {
      redirect(ctx, link.path, shortly);
      return;
    }
    const address = clientAddress(ctx.req, trustedProxies);
    const found = link.logoOf === null ? undefined : await findLogo(link.logoOf, address);
    const logo = found === undefined ? null : shareImageLogo(found);
    const tag = buildTag(link, logo ?? '');
    const etag = `"${tag}"`;
    const caching = link.logoOf === null ? forEver : found === undefined ? shortly : forADay;
    if (matchesEtag(ctx.get('If-None-Match') || undefined, etag)) {
      ctx.set({ ETag: etag, 'Cache-Control': caching });
      ctx.status = 304;
      return;
    }
    // The brand's images are few: they are drawn for everyone.
    const ip = brandLinks.has(owner) ? null : address;
    const order = logo === null || link.image === 'mail-logo' ? link.image : { ...link.image, logo };
    const png = await pictures.get(tag, order, ip);
    if (png === null) {
      redirect(ctx, brandShareImagePath, 'no-store');
      return;
    }
    ctx.set({ ETag: etag, 'Cache-Control': caching });
    ctx.type = 'image/png';
    ctx.body = png;
  }

  return (ctx, next) => {
    if (!ctx.path.startsWith(prefix) || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    const [, owner] = pathPattern.exec(ctx.path) ?? [];
    return owner === undefined ? next() : answer(ctx, owner);
  };
}

function redirect(ctx: Context, path: string, caching: string): void {
  ctx.status = 302;
  ctx.set({ Location: path, 'Cache-Control': caching });
  ctx.body = '';
}

/** What the image of a provider's links shows, from memory; null for an id without an active provider. */
export function sharedLinks({ findById }: Pick<TenantDirectory, 'findById'>) {
  return async (id: number): Promise<SharedLink | null> => {
    const record = await findById(id);
    if (record === null) return null;
    const view = toView(record);
    const { shareImage, label, themeHue } = view;
    return { path: shareImage, image: { provider: label, hue: themeHue }, logoOf: findLogoOwner(view) };
  };
}

const platePrefix = '/og/plate/';
const platePattern = /^\/og\/plate\/([1-9]\d{0,14})\/[0-9a-z]{1,8}\.svg$/;

interface PlateDeps {
  tenants: Pick<TenantDirectory, 'findById'>;
  pictures: DrawnPictures;
  trustedProxies: number;
}

/**
 * `GET /og/plate/{providerId}/{tag}.svg`: the map cut around an active provider. An earlier address redirects to its
 * own. Throws TOO_MANY_REQUESTS if it is not available now.
 */
export function plateImages({ tenants, pictures, trustedProxies }: PlateDeps): Middleware {
  return async (ctx, next) => {
    if (!ctx.path.startsWith(platePrefix) || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    const [, id] = platePattern.exec(ctx.path) ?? [];
    const record = id === undefined ? null : await tenants.findById(Number(id));
    const view = record === null ? null : toView(record);
    ctx.set('Cache-Control', shortly);
    if (view?.plate !== ctx.path) {
      ctx.status = view?.plate ? 302 : 404;
      if (view?.plate) ctx.set('Location', view.plate);
      ctx.body = view?.plate ? '' : 'Not Found';
      return undefined;
    }
    ctx.set('Cache-Control', forEver);
    ctx.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    if (isUnchanged(ctx, `"${ctx.path}"`)) return undefined;
    const { latitude, longitude, themeHue: hue } = view;
    const order = { plate: { latitude: Number(latitude), longitude: Number(longitude), hue } };
    const ip = clientAddress(ctx.req, trustedProxies);
    const svg = await pictures.get(contentTag(ctx.path, order), order, ip);
    if (svg === null) throw tooManyPictures();
    ctx.type = 'image/svg+xml';
    ctx.body = svg;
    return undefined;
  };
}
