import type { IncomingMessage } from 'node:http';
import { guardedRequest } from './guardedRequest.ts';
import { imagePixels } from './imagePixels.ts';
import { readBody } from './readBody.ts';

export interface FetchedImage {
  type: string;
  bytes: Buffer;
}

export interface FetchImageOptions {
  timeoutMs?: number;
  bytesMax?: number;
  redirectsMax?: number;
  /** Tests fetch from loopback. */
  allowPrivate?: boolean;
  /** Development fetches from this machine. */
  allowLoopback?: boolean;
}

/** A browser needs four bytes for each pixel, however few bytes the file has. Photos of phones have up to 24 million. */
const pixelsMax = 25_000_000;
/** An animation is decoded again and again. */
const framePixelsMax = 10 * pixelsMax;
/** The one type that has to be drawn (render/shareImages). What it contains decides how large it is. */
export const vectorType = 'image/svg+xml';

const imageTypes = new Set([
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/avif',
  vectorType,
  'image/x-icon',
  'image/vnd.microsoft.icon',
]);

/**
 * Fetches a provider's image, so that browsers send no third-party request. Only http(s), public addresses and image
 * types, with limits of time, bytes, pixels and redirects; throws otherwise. Returns an SVG unchecked.
 */
export async function fetchImage(address: string, options: FetchImageOptions = {}): Promise<FetchedImage> {
  const { timeoutMs = 5_000, redirectsMax = 2, allowPrivate = false, allowLoopback = false } = options;
  const headers = { accept: 'image/*' };
  const signal = AbortSignal.timeout(timeoutMs);
  let url = new URL(address);
  for (let hop = 0; hop <= redirectsMax; hop++) {
    const response = await guardedRequest(url, { signal, allowPrivate, allowLoopback, headers });
    const status = response.statusCode ?? 0;
    if (status >= 300 && status < 400 && response.headers.location !== undefined) {
      response.destroy();
      url = new URL(response.headers.location, url);
      continue;
    }
    return read(response, status, options.bytesMax ?? 1024 * 1024);
  }
  throw new Error('the image redirects too often');
}

async function read(response: IncomingMessage, status: number, bytesMax: number): Promise<FetchedImage> {
  const type = (response.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (status !== 200 || !imageTypes.has(type)) {
    response.destroy();
    throw new Error(`the image's host answered ${status} with ${type === '' ? 'no type' : type}`);
  }
  const bytes = await readBody(response, { bytesMax });
  if (type === vectorType) return { type, bytes };
  const pixels = imagePixels(bytes);
  if (pixels === null) throw new Error(`the image's header can't be read as ${type}`);
  if (pixels.picture > pixelsMax || pixels.frames > framePixelsMax)
    throw new Error(`the image has more than ${pixelsMax} pixels, or its frames have ${framePixelsMax}`);
  return { type, bytes };
}
