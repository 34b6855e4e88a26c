import type { Context, Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import { entriesMax } from '#server/cache/caches.ts';
import pLimit, { type LimitFunction } from 'p-limit';
import { dayMs } from '#shared/formats/time.ts';
import { isPictureKind, type PictureKind } from '#shared/providers/tenant.ts';
import { AppError } from '../errors.ts';
import { createLocalLimiter, type LocalLimits } from '../security/localLimiter.ts';
import type { Log } from '../log.ts';
import { clientAddress } from '../security/clientAddress.ts';
import { fetchImage, type FetchedImage, type FetchImageOptions, vectorType } from '../security/fetchImage.ts';
import { buildEtag, isUnchanged } from './requestHeaders.ts';

interface MediaDeps {
  /** The image's address in the provider's record; null if there is none. */
  findAddress: (id: number, kind: PictureKind) => Promise<string | null>;
  /** Draws an SVG as PNG. Throws for one that cannot be drawn, or SERVICE_UNAVAILABLE if too many wait. */
  draw: (svg: Buffer) => Promise<Buffer>;
  log: Log;
  trustedProxies: number;
  fetchOptions?: FetchImageOptions;
  limits?: LocalLimits;
}

interface CachedImage {
  etag: string;
  image: FetchedImage;
}

const prefix = '/media/';
const pathPattern = /^\/media\/([a-z\d-]+)\/([1-9]\d{0,15})$/;
const bytesMax = 32 * 1024 * 1024;
/** Each image has a megabyte at most, so this bounds the memory of a flood of requests for different providers. */
const slots = { total: 16, perHost: 4, waitingPerHost: 16 };
/** A page has at most eight images. Limits what an enumeration of providers can make us request from their servers. */
const fetchLimits: LocalLimits = { points: 60, windowSeconds: 60, totalPoints: 300 };
const keptMs = dayMs;
const failureKeptMs = 60_000;
const failuresMax = 10_000;
const busySeconds = 5;

export interface Media {
  serve: Middleware;
  /** A provider's picture as browsers get it, for a client of this address. Undefined and errors as `serve` has them. */
  find: (id: number, kind: PictureKind, ip: string) => Promise<FetchedImage | undefined>;
}

/**
 * `GET /media/{logo|image|picture-1 … picture-6}/{providerId}`: a provider's image from our own origin, fetched once
 * and cached with a byte limit. The address is part of the key, so a new logo shows immediately. An image that failed
 * to load, or an SVG that cannot be drawn, is a 404 and is retried after a minute. Fetches are limited per network and
 * in total (429). With too many requests waiting for a host, or too many drawings, the response is 503 for a few
 * seconds.
 */
export function createMedia(deps: MediaDeps): Media {
  const { findAddress, draw, log, trustedProxies, fetchOptions = {}, limits = fetchLimits } = deps;
  const fetches = createLocalLimiter(limits);
  const inTurn = createHostSlots(slots);
  // Separate from the images, which would evict them.
  const failures = new LRUCache<string, true>({ ...entriesMax(failuresMax), ttl: failureKeptMs });
  const kept = new LRUCache<string, CachedImage, { ip: string }>({
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

  /** Browsers get an SVG as PNG: this limits what a stranger's drawing costs. Drawing uses no shared slot. */
  async function load(address: string, inSharedTurn: LimitFunction): Promise<FetchedImage> {
    const image = await inSharedTurn(() => fetchImage(address, fetchOptions));
    return image.type === vectorType ? { type: 'image/png', bytes: await draw(image.bytes) } : image;
  }

  /** Undefined and remembered if loading fails. Throws SERVICE_UNAVAILABLE above the limits of requests or drawings. */
  async function fetchPicture(address: string): Promise<CachedImage | undefined> {
    try {
      const image = await inTurn(URL.parse(address)?.host ?? '', (inSharedTurn) =>
        load(address, inSharedTurn),
      );
      const etag = buildEtag(image.bytes);
      return { etag, image };
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (error instanceof HostBusyError)
        throw new AppError('SERVICE_UNAVAILABLE', 'Too many wait for this picture’s host.', {
          cause: error,
          retryAfterSeconds: busySeconds,
        });
      log.warn({ event: 'picture.fetch-failed', err: error }, "a clinic's picture could not be fetched");
      failures.set(address, true);
      return undefined;
    }
  }

  async function find(id: number, kind: PictureKind, ip: string): Promise<CachedImage | undefined> {
    const address = await findAddress(id, kind);
    const isGone = address === null || failures.has(address);
    return isGone ? undefined : kept.fetch(address, { context: { ip } });
  }

  async function answer(ctx: Context, id: number, kind: PictureKind): Promise<void> {
    const ip = clientAddress(ctx.req, trustedProxies);
    // Messages show it: a mail program in a browser is another site.
    if (kind === 'logo') ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
    send(ctx, await find(id, kind, ip));
  }

  const serve: Middleware = (ctx, next) => {
    if (!ctx.path.startsWith(prefix)) return next();
    const [, kind, id] = pathPattern.exec(ctx.path) ?? [];
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    return !isRead || id === undefined || kind === undefined || !isPictureKind(kind)
      ? next()
      : answer(ctx, Number(id), kind);
  };
  return { serve, find: async (id, kind, ip) => (await find(id, kind, ip))?.image };
}

function send(ctx: Context, entry: CachedImage | undefined): void {
  if (entry === undefined) {
    ctx.status = 404;
    ctx.set('Cache-Control', 'public, max-age=60');
    // A body makes the response complete; otherwise, the error boundary would send one that must not be cached.
    ctx.body = 'Not Found';
    return;
  }
  ctx.set('Cache-Control', 'public, max-age=86400');
  // Whatever a browser takes the bytes for, they are displayed and run nothing.
  ctx.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
  if (isUnchanged(ctx, entry.etag)) return;
  ctx.type = entry.image.type;
  ctx.body = entry.image.bytes;
}

interface HostSlotsOptions {
  total: number;
  perHost: number;
  waitingPerHost: number;
}

/** Too many requests already wait for this host. */
class HostBusyError extends Error {}

/** Runs work when a slot of its host and a shared one are free. Throws HostBusyError and the work's own errors. */
type HostSlots = <Result>(
  host: string,
  work: (inSharedTurn: LimitFunction) => Promise<Result>,
) => Promise<Result>;

/**
 * Limits requests to other hosts. A slot of the host comes before a shared one, so a slow host occupies only its own.
 */
function createHostSlots({ total, perHost, waitingPerHost }: HostSlotsOptions): HostSlots {
  const shared = pLimit(total);
  const hosts = new Map<string, { inTurn: LimitFunction; requests: number }>();
  return async (host, work) => {
    const own = hosts.get(host) ?? { inTurn: pLimit(perHost), requests: 0 };
    if (own.requests >= perHost + waitingPerHost)
      throw new HostBusyError('too many requests wait for this host');
    hosts.set(host, own);
    own.requests += 1;
    try {
      return await own.inTurn(() => work(shared));
    } finally {
      own.requests -= 1;
      if (own.requests === 0) hosts.delete(host);
    }
  };
}
