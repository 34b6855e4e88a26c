import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress, PrivateAddressError, publicLookup } from './publicAddress.ts';

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
}

const imageTypes = new Set([
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/avif',
  'image/svg+xml',
  'image/x-icon',
  'image/vnd.microsoft.icon',
]);

/**
 * Fetches a clinic's picture from its own site, so that visitors' browsers don't have to (no third-party request). Only http(s), only public
 * addresses, only image types, bounded in time, size and redirects. Throws on anything else.
 */
export async function fetchImage(address: string, options: FetchImageOptions = {}): Promise<FetchedImage> {
  const { timeoutMs = 5_000, redirectsMax = 2 } = options;
  const signal = AbortSignal.timeout(timeoutMs);
  let url = new URL(address);
  for (let hop = 0; hop <= redirectsMax; hop++) {
    const response = await open(url, signal, options.allowPrivate ?? false);
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

function open(url: URL, signal: AbortSignal, allowPrivate: boolean): Promise<IncomingMessage> {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error('the image is not on the web');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host))
    throw new PrivateAddressError('the image is at an address that is not public');
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    send(
      url,
      { signal, headers: { accept: 'image/*' }, ...(allowPrivate ? {} : { lookup: publicLookup }) },
      resolve,
    )
      .on('error', reject)
      .end();
  });
}

async function read(response: IncomingMessage, status: number, bytesMax: number): Promise<FetchedImage> {
  const type = (response.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (status !== 200 || !imageTypes.has(type)) {
    response.destroy();
    throw new Error(`the image's host answered ${status} with ${type === '' ? 'no type' : type}`);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bytesMax) {
      response.destroy();
      throw new Error(`the image is larger than ${bytesMax} bytes`);
    }
    chunks.push(chunk);
  }
  return { type, bytes: Buffer.concat(chunks) };
}
