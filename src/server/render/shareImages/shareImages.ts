import { createHash } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import { mailLogoPath } from '#shared/shareImages/mailLogo.ts';
import { brandShareImage, brandShareImagePath, type ShareImage } from '#shared/shareImages/shareImage.ts';
import { createLocalLimiter, type LocalLimits } from '#server/security/localLimiter.ts';
import type { Log } from '#server/log.ts';
import { clientAddress } from '#server/security/clientAddress.ts';
import { matchesEtag } from '#server/http/etag.ts';
import { viewOf } from '#server/tenant/providerRecord.ts';
import type { TenantDirectory } from '#server/tenant/site.ts';

/** An image and its current path. */
export interface SharedLink {
  path: string;
  image: Drawing;
}

/** A shared link's image, or the logo above messages. */
export type Drawing = ShareImage | 'mail-logo';

interface ShareImagesDeps {
  /** The link of an active provider; null for an unknown id. */
  linkOf: (providerId: number) => SharedLink | null | Promise<SharedLink | null>;
  paint: (image: Drawing) => Promise<Buffer>;
  /** Stores images outside this process's memory, by content tag. */
  store: {
    find: (tag: string) => Promise<Buffer | null>;
    put: (tag: string, png: Buffer) => Promise<void>;
  };
  trustedProxies: number;
  log: Log;
  /** Limits of drawings. */
  limits?: LocalLimits;
}

const prefix = '/og/';
const pathPattern = /^\/og\/(brand|mail|[1-9]\d{0,14})\/[0-9a-z]{1,8}\.png$/;
const bytesMax = 16 * 1024 * 1024;
const forEver = 'public, max-age=31536000, immutable';
/**
 * A drawing uses a core for about 35 ms and is then stored on disk. A service that shows previews requests a few images
 * within a minute. All networks together may use a tenth of a core.
 */
const drawingLimits: LocalLimits = { points: 20, windowSeconds: 60, totalPoints: 180 };
/** Requests that are not for a provider. */
const brandLinks = new Map<string, SharedLink>([
  ['brand', { path: brandShareImagePath, image: brandShareImage }],
  ['mail', { path: mailLogoPath, image: 'mail-logo' }],
]);

/** Thrown if a network, or all networks together, requested too many drawings. */
class TooManyDrawings extends Error {}

/** Identifies what an image shows. Its path changes with everything else that it is drawn from. */
function contentTag({ path, image }: SharedLink): string {
  const drawnFrom = path.slice(path.lastIndexOf('/') + 1);
  return createHash('sha256')
    .update(JSON.stringify([drawnFrom, image]))
    .digest('base64url')
    .slice(0, 32);
}

/**
 * `GET /og/{brand|mail|providerId}/{tag}.png`: the image of a shared link or above a message, drawn once, stored on
 * disk and cached in memory with a byte limit. Its current URL may be cached forever; an earlier one redirects to it.
 * An unknown id is a 404 and draws nothing; the client's URL never decides what is drawn. If a provider's image is not
 * available (a limit was reached, or drawing failed), the response redirects to the brand's, so that a preview always
 * has an image.
 */
export function shareImages(deps: ShareImagesDeps): Middleware {
  const { linkOf, paint, store, trustedProxies, log, limits = drawingLimits } = deps;
  const drawings = createLocalLimiter(limits);
  const kept = new LRUCache<string, Buffer, { image: Drawing; ip: string | null }>({
    maxSize: bytesMax,
    sizeCalculation: (png) => png.length + 256,
    fetchMethod: async (tag, _stale, { context: { image, ip } }) => {
      const stored = await store.find(tag);
      if (stored !== null) return stored;
      if (ip !== null && (await drawings.take(ip)) !== null) throw new TooManyDrawings();
      const png = await paint(image);
      await store.put(tag, png);
      return png;
    },
  });

  /**
   * Null if a provider's image is not available now. The brand's images are few: they are drawn for everyone and throw
   * their errors.
   */
  async function picture(ctx: Context, link: SharedLink, owner: string): Promise<Buffer | null> {
    const tag = contentTag(link);
    if (brandLinks.has(owner))
      return (await kept.fetch(tag, { context: { image: link.image, ip: null } })) ?? null;
    const ip = clientAddress(ctx.req, trustedProxies);
    try {
      return (await kept.fetch(tag, { context: { image: link.image, ip } })) ?? null;
    } catch (error) {
      if (!(error instanceof TooManyDrawings))
        log.warn({ event: 'share-image.draw-failed', err: error }, 'a share image could not be drawn');
      return null;
    }
  }

  async function answer(ctx: Context, owner: string): Promise<void> {
    const link = brandLinks.get(owner) ?? (await linkOf(Number(owner)));
    if (link === null) {
      ctx.status = 404;
      ctx.set('Cache-Control', 'public, max-age=60');
      ctx.body = 'Not Found';
      return;
    }
    // Meant to be shown on other sites.
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
    if (ctx.path !== link.path) {
      redirect(ctx, link.path, 'public, max-age=60');
      return;
    }
    const etag = `"${contentTag(link)}"`;
    if (matchesEtag(ctx.get('If-None-Match') || undefined, etag)) {
      ctx.set({ ETag: etag, 'Cache-Control': forEver });
      ctx.status = 304;
      return;
    }
    const png = await picture(ctx, link, owner);
    if (png === null) {
      redirect(ctx, brandShareImagePath, 'no-store');
      return;
    }
    ctx.set({ ETag: etag, 'Cache-Control': forEver });
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
    const { shareImage, label, themeHue } = viewOf(record);
    return { path: shareImage, image: { provider: label, hue: themeHue } };
  };
}
