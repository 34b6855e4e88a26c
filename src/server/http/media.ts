import { createHash } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import type { Log } from '../log.ts';
import pLimit from 'p-limit';
import { matchesEtag } from './etag.ts';
import { fetchImage, type FetchedImage, type FetchImageOptions } from '../outbound/fetchImage.ts';

export type MediaKind = 'logo' | 'image';

interface MediaDeps {
  /** The address the clinic's record holds for the picture; null when there is none. */
  addressOf: (id: number, kind: MediaKind) => Promise<string | null>;
  log: Log;
  fetchOptions?: FetchImageOptions;
}

type Kept = { etag: string; image: FetchedImage } | { etag: null };

const prefix = '/media/';
const pathPattern = /^\/media\/(logo|image)\/([1-9]\d{0,15})$/;
const bytesMax = 32 * 1024 * 1024;
/** A megabyte each at most, so this bounds what a flood of requests for different clinics can hold. */
const fetchesAtOnceMax = 16;
const keptMs = 24 * 3600_000;
const failureKeptMs = 60_000;

/**
 * `GET /media/{logo|image}/{providerId}`: a clinic's picture from our own origin, fetched once and kept in a cache bounded by bytes. The
 * address is part of the key, so a new logo shows at once; a picture that can't be had is 404 and tried again after a minute.
 */
export function media({ addressOf, log, fetchOptions = {} }: MediaDeps): Middleware {
  const limit = pLimit(fetchesAtOnceMax);
  const kept = new LRUCache<string, Kept>({
    maxSize: bytesMax,
    sizeCalculation: (entry) => (entry.etag === null ? 64 : entry.image.bytes.length + 256),
    fetchMethod: async (address, _stale, { options }) => {
      try {
        const image = await limit(fetchImage, address, fetchOptions);
        options.ttl = keptMs;
        return {
          etag: `"${createHash('sha256').update(image.bytes).digest('base64url').slice(0, 22)}"`,
          image,
        };
      } catch (error) {
        log.warn({ err: error }, "a clinic's picture could not be fetched");
        options.ttl = failureKeptMs;
        return { etag: null };
      }
    },
  });

  async function answer(ctx: Context, id: number, kind: MediaKind): Promise<void> {
    const address = await addressOf(id, kind);
    send(ctx, address === null ? undefined : await kept.fetch(address));
  }

  return (ctx, next) => {
    if (!ctx.path.startsWith(prefix)) return next();
    const [, kind, id] = pathPattern.exec(ctx.path) ?? [];
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    return !isRead || id === undefined || (kind !== 'logo' && kind !== 'image')
      ? next()
      : answer(ctx, Number(id), kind);
  };
}

function send(ctx: Context, entry: Kept | undefined): void {
  if (entry === undefined || entry.etag === null) {
    ctx.status = 404;
    ctx.set('Cache-Control', 'public, max-age=60');
    // With a body the answer is whole: the error boundary would draw one that must not be kept.
    ctx.body = 'Not Found';
    return;
  }
  ctx.set('ETag', entry.etag);
  ctx.set('Cache-Control', 'public, max-age=86400');
  // An SVG opened on its own is a document: it may draw, not run.
  ctx.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
  if (matchesEtag(ctx.get('If-None-Match') || undefined, entry.etag)) {
    ctx.status = 304;
    return;
  }
  ctx.type = entry.image.type;
  ctx.body = entry.image.bytes;
}
