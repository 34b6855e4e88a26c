import { createHash } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import { mailLogoPath } from '#shared/mailLogo.ts';
import { brandShareImage, brandShareImagePath, type ShareImage } from '#shared/shareImage.ts';
import { matchesEtag } from './etag.ts';

/** A picture to be drawn, and the path it lies at now. */
export interface SharedLink {
  path: string;
  image: Drawing;
}

/** A shared link's picture, or the logo above messages. */
export type Drawing = ShareImage | 'mail-logo';

interface ShareImagesDeps {
  /** What the picture of an active clinic shows; null for an id that is nobody's. */
  linkOf: (providerId: number) => SharedLink | null | Promise<SharedLink | null>;
  paint: (image: Drawing) => Promise<Buffer>;
}

interface Picture {
  etag: string;
  png: Buffer;
}

const prefix = '/og/';
const pathPattern = /^\/og\/(brand|mail|[1-9]\d{0,14})\/[0-9a-z]{1,8}\.png$/;
const bytesMax = 16 * 1024 * 1024;
/** What isn't a clinic's. */
const brandLinks = new Map<string, SharedLink>([
  ['brand', { path: brandShareImagePath, image: brandShareImage }],
  ['mail', { path: mailLogoPath, image: 'mail-logo' }],
]);

/**
 * `GET /og/{brand|mail|providerId}/{tag}.png`: the picture beside a shared link or above a message, drawn once and kept in a cache bounded by bytes. Under its
 * present address it may be kept for ever; under an earlier one the present picture is answered, for an hour. An unknown id is 404 and draws
 * nothing; what a client writes into the address never decides what is drawn.
 */
export function shareImages({ linkOf, paint }: ShareImagesDeps): Middleware {
  const kept = new LRUCache<string, Picture, Drawing>({
    maxSize: bytesMax,
    sizeCalculation: ({ png }) => png.length + 256,
    fetchMethod: async (_key, _stale, { context }) => {
      const png = await paint(context);
      return { etag: `"${createHash('sha256').update(png).digest('base64url').slice(0, 22)}"`, png };
    },
  });

  async function answer(ctx: Context, owner: string): Promise<void> {
    const link = brandLinks.get(owner) ?? (await linkOf(Number(owner)));
    const picture =
      link === null ? undefined : await kept.fetch(JSON.stringify(link.image), { context: link.image });
    if (link === null || picture === undefined) {
      ctx.status = 404;
      ctx.set('Cache-Control', 'public, max-age=60');
      ctx.body = 'Not Found';
      return;
    }
    ctx.set('ETag', picture.etag);
    ctx.set(
      'Cache-Control',
      ctx.path === link.path ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    );
    // Made to be shown on other sites.
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
    if (matchesEtag(ctx.get('If-None-Match') || undefined, picture.etag)) {
      ctx.status = 304;
      return;
    }
    ctx.type = 'image/png';
    ctx.body = picture.png;
  }

  return (ctx, next) => {
    if (!ctx.path.startsWith(prefix) || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    const [, owner] = pathPattern.exec(ctx.path) ?? [];
    return owner === undefined ? next() : answer(ctx, owner);
  };
}
