import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type Koa from 'koa';
import type { PreparedJson } from '../features/providers/activeList.ts';
import { acceptedEncodings } from './acceptEncoding.ts';
import { matchesEtag } from './etag.ts';
import type { AppState } from '../tenant/tenant.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

type Context = Koa.ParameterizedContext<AppState>;

function etagOf(text: string | Buffer): string {
  return `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

/** Sends a value as JSON; one that is worth asking for again carries an ETag. */
export function sendJson(
  ctx: Context,
  status: number,
  output: unknown,
  caching: 'revalidate' | 'no-store',
): void {
  const body = JSON.stringify(output);
  ctx.set('Cache-Control', caching === 'revalidate' ? 'no-cache' : 'no-store');
  if (caching === 'revalidate') {
    const etag = etagOf(body);
    ctx.set('ETag', etag);
    if (matchesEtag(ctx.get('If-None-Match') || undefined, etag)) {
      ctx.status = 304;
      return;
    }
  }
  ctx.status = status;
  ctx.type = 'application/json';
  ctx.body = body;
}

/** A value that never changes as a JSON answer: serialized now, and compressed when first asked for. */
export function prepareConstant(value: unknown): PreparedJson {
  const bytes = Buffer.from(JSON.stringify(value));
  let br: Promise<Buffer> | null = null;
  let gzipped: Promise<Buffer> | null = null;
  return {
    etag: etagOf(bytes),
    byteLength: bytes.length,
    plain: () => Promise.resolve(bytes),
    body: (encoding) =>
      encoding === 'br' ? (br ??= compressBrotli(bytes)) : (gzipped ??= compressGzip(bytes)),
  };
}

/** Sends the bytes as they lie in memory, in an encoding the client takes. */
export async function sendPrepared(
  ctx: Context,
  { etag, body, plain, byteLength }: PreparedJson,
): Promise<void> {
  ctx.set({ 'Cache-Control': 'no-cache', ETag: etag, Vary: 'Accept-Encoding' });
  if (matchesEtag(ctx.get('If-None-Match') || undefined, etag)) {
    ctx.status = 304;
    return;
  }
  const [encoding = 'identity'] = acceptedEncodings(ctx.get('Accept-Encoding'));
  ctx.status = 200;
  ctx.type = 'application/json';
  if (encoding === 'identity') {
    // For HEAD Koa would leave a stream open.
    ctx.body = ctx.method === 'HEAD' ? '' : await plain();
    ctx.length = byteLength;
    return;
  }
  ctx.body = await body(encoding);
  ctx.set('Content-Encoding', encoding);
}
