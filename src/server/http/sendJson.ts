import { compressGzip, type PreparedJson, weakEtag } from '../cache/preparedJson.ts';
import type { AppContext } from '../tenant/tenant.ts';
import { acceptedEncodings, isUnchanged } from './requestHeaders.ts';

/** A smaller body fits into a few packets anyway. */
const compressedMin = 8 * 1024;

/** Sends a value as JSON. With `revalidate`, the response has an ETag, may be a 304, and is compressed if it is large. */
export async function sendJson(
  ctx: AppContext,
  { status, output, caching }: { status: number; output: unknown; caching: 'revalidate' | 'no-store' },
): Promise<void> {
  const body = JSON.stringify(output);
  ctx.set('Cache-Control', caching === 'revalidate' ? 'no-cache' : 'no-store');
  if (caching === 'revalidate' && isUnchanged(ctx, weakEtag(body))) return;
  ctx.status = status;
  ctx.type = 'application/json';
  if (caching === 'revalidate') await setCompressed(ctx, body);
  else ctx.body = body;
}

/** Sets a body, compressed if it is large and the client accepts gzip. For public data only. */
export async function setCompressed(ctx: AppContext, body: string): Promise<void> {
  if (body.length < compressedMin) {
    ctx.body = body;
    return;
  }
  ctx.vary('Accept-Encoding');
  if (!acceptedEncodings(ctx.get('Accept-Encoding')).includes('gzip')) {
    ctx.body = body;
    return;
  }
  ctx.body = await compressGzip(body);
  ctx.set('Content-Encoding', 'gzip');
}

/** Sends a prepared response in an encoding that the client accepts. */
export async function sendPrepared(
  ctx: AppContext,
  { etag, body, plain, byteLength }: PreparedJson,
  type = 'application/json',
): Promise<void> {
  ctx.set({ 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' });
  if (isUnchanged(ctx, etag)) return;
  const [encoding = 'identity'] = acceptedEncodings(ctx.get('Accept-Encoding'));
  ctx.status = 200;
  ctx.type = type;
  if (encoding === 'identity') {
    // For HEAD, Koa would leave a stream open.
    ctx.body = ctx.method === 'HEAD' ? '' : await plain();
    ctx.length = byteLength;
    return;
  }
  ctx.body = await body(encoding);
  ctx.set('Content-Encoding', encoding);
}
