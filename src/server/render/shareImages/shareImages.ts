import { createHash } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import { mailLogoPath } from '#shared/shareImages/mailLogo.ts';
import { brandShareImage, brandShareImagePath, type ShareImage } from '#shared/shareImages/shareImage.ts';
import { createLocalLimiter, type LocalLimits } from '#server/security/localLimiter.ts';
import type { Log } from '#server/log.ts';
import { clientAddress } from '#server/security/clientAddress.ts';
import { matchesEtag } from '#server/http/etag.ts';

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
  /** Keeps pictures beyond this process's memory, by content tag. */
  store: {
    find: (tag: string) => Promise<Buffer | null>;
    put: (tag: string, png: Buffer) => Promise<void>;
  };
  trustedProxies: number;
  log: Log;
  /** Of drawings. */
  limits?: LocalLimits;
}

const prefix = '/og/';
const pathPattern = /^\/og\/(brand|mail|[1-9]\d{0,14})\/[0-9a-z]{1,8}\.png$/;
const bytesMax = 16 * 1024 * 1024;
const forEver = 'public, max-age=31536000, immutable';
/**
 * A drawing takes some 35 ms of a core and then lies on disk. A service that shows previews asks for a few pictures of ours within a minute; all
 * together may keep a tenth of a core busy.
 */
const drawingLimits: LocalLimits = { points: 20, windowSeconds: 60, totalPoints: 180 };
/** What isn't a clinic's. */
const brandLinks = new Map<string, SharedLink>([
  ['brand', { path: brandShareImagePath, image: brandShareImage }],
  ['mail', { path: mailLogoPath, image: 'mail-logo' }],
]);

/** Thrown when a network, or all together, had too many pictures drawn. */
class TooManyDrawings extends Error {}

/** Names what a picture shows. Its path changes with everything else that it is drawn from. */
function contentTag({ path, image }: SharedLink): string {
  const drawnFrom = path.slice(path.lastIndexOf('/') + 1);
  return createHash('sha256')
    .update(JSON.stringify([drawnFrom, image]))
    .digest('base64url')
    .slice(0, 32);
}

/**
 * `GET /og/{brand|mail|providerId}/{tag}.png`: the picture beside a shared link or above a message, drawn once and then kept on disk and, while it
 * is asked for, in a cache bounded by bytes. Under its present address it may be kept for ever; an earlier one leads there. An unknown id is 404 and
 * draws nothing; what a client writes into the address never decides what is drawn. Where a clinic's picture can't be drawn now (too many were
 * for this network or in all, or drawing failed) the answer leads to the brand's own, so that a preview always has one.
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

  /** Null when a clinic's picture can't be had now. Those of the brand are few: they are drawn whoever asks, and fail like anything else. */
  async function picture(ctx: Context, link: SharedLink, owner: string): Promise<Buffer | null> {
    const tag = contentTag(link);
    if (brandLinks.has(owner))
      return (await kept.fetch(tag, { context: { image: link.image, ip: null } })) ?? null;
    const ip = clientAddress(ctx.req, trustedProxies);
    try {
      return (await kept.fetch(tag, { context: { image: link.image, ip } })) ?? null;
    } catch (error) {
      if (!(error instanceof TooManyDrawings)) log.warn({ err: error }, 'a share image could not be drawn');
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
    // Made to be shown on other sites.
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
