import { createHash } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import { AppError } from '../errors.ts';
import { createLocalLimiter, type LocalLimits } from '../security/localLimiter.ts';
import type { Log } from '../log.ts';
import { createHostSlots, HostBusyError } from '../security/hostSlots.ts';
import { clientAddress } from '../security/clientAddress.ts';
import { matchesEtag } from './etag.ts';
import { fetchImage, type FetchedImage, type FetchImageOptions } from '../security/fetchImage.ts';
import { dayMs } from '#shared/formats/time.ts';

type MediaKind = 'logo' | 'image';

interface MediaDeps {
  /** The address the clinic's record holds for the picture; null when there is none. */
  addressOf: (id: number, kind: MediaKind) => Promise<string | null>;
  log: Log;
  trustedProxies: number;
  fetchOptions?: FetchImageOptions;
  /** Of fetches. */
  limits?: LocalLimits;
}

interface Kept {
  etag: string;
  image: FetchedImage;
}

const prefix = '/media/';
const pathPattern = /^\/media\/(logo|image)\/([1-9]\d{0,15})$/;
const bytesMax = 32 * 1024 * 1024;
/** A megabyte each at most, so this bounds what a flood of requests for different clinics can hold. */
const slots = { total: 16, perHost: 4, waitingPerHost: 16 };
/** A page has two pictures. Whoever walks through the clinics makes us fetch no more than this, in the end from clinics' own servers. */
const fetchLimits: LocalLimits = { points: 60, windowSeconds: 60, totalPoints: 300 };
const keptMs = dayMs;
const failureKeptMs = 60_000;
const failuresMax = 10_000;
const busySeconds = 5;

/**
 * `GET /media/{logo|image}/{providerId}`: a clinic's picture from our own origin, fetched once and kept in a cache bounded by bytes. The
 * address is part of the key, so a new logo shows at once; a picture that can't be had is 404 and tried again after a minute. Fetches are limited
 * per network and in all (429); a host that many wait for is 503 for a few seconds.
 */
export function media(deps: MediaDeps): Middleware {
  const { addressOf, log, trustedProxies, fetchOptions = {}, limits = fetchLimits } = deps;
  const fetches = createLocalLimiter(limits);
  const inTurn = createHostSlots(slots);
  // Apart from the pictures, which would push them out.
  const failures = new LRUCache<string, true>({ max: failuresMax, ttl: failureKeptMs });
  const kept = new LRUCache<string, Kept, { ip: string }>({
    maxSize: bytesMax,
    ttl: keptMs,
    sizeCalculation: ({ image }) => image.bytes.length + 256,
    fetchMethod: async (address, _stale, { context: { ip } }) => {
      const retryAfterSeconds = await fetches.take(ip);
      if (retryAfterSeconds !== null)
        throw new AppError('TOO_MANY_REQUESTS', 'Too many pictures. Please try again in a minute.', {
          retryAfterSeconds,
        });
      return fetchPicture(address);
    },
  });

  /** Undefined when it can't be had, which is remembered. Throws SERVICE_UNAVAILABLE when too many wait for the host. */
  async function fetchPicture(address: string): Promise<Kept | undefined> {
    try {
      const image = await inTurn(URL.parse(address)?.host ?? '', () => fetchImage(address, fetchOptions));
      const etag = `"${createHash('sha256').update(image.bytes).digest('base64url').slice(0, 22)}"`;
      return { etag, image };
    } catch (error) {
      if (error instanceof HostBusyError)
        throw new AppError('SERVICE_UNAVAILABLE', 'Too many wait for this picture’s host.', {
          cause: error,
          retryAfterSeconds: busySeconds,
        });
      log.warn({ err: error }, "a clinic's picture could not be fetched");
      failures.set(address, true);
      return undefined;
    }
  }

  async function answer(ctx: Context, id: number, kind: MediaKind): Promise<void> {
    const address = await addressOf(id, kind);
    const isGone = address === null || failures.has(address);
    const ip = clientAddress(ctx.req, trustedProxies);
    send(ctx, isGone ? undefined : await kept.fetch(address, { context: { ip } }));
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
  if (entry === undefined) {
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
