import type Koa from 'koa';
import { type PreparedJson, weakEtag } from '../preparedJson.ts';
import type { AppState } from '../tenant/tenant.ts';
import { acceptedEncodings } from './acceptEncoding.ts';
import { matchesEtag } from './etag.ts';

type Context = Koa.ParameterizedContext<AppState>;

/** Sends a value as JSON. With `revalidate`, the response has an ETag and may be a 304. */
export function sendJson(
  ctx: Context,
  { status, output, caching }: { status: number; output: unknown; caching: 'revalidate' | 'no-store' },
): void {
  const body = JSON.stringify(output);
  ctx.set('Cache-Control', caching === 'revalidate' ? 'no-cache' : 'no-store');
  if (caching === 'revalidate') {
    const etag = weakEtag(body);
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

/** Sends a prepared response in an encoding that the client accepts. */
export async function sendPrepared(
  ctx: Context,
  { etag, body, plain, byteLength }: PreparedJson,
  type = 'application/json',
): Promise<void> {
  ctx.set({ 'Cache-Control': 'no-cache', ETag: etag, Vary: 'Accept-Encoding' });
  if (matchesEtag(ctx.get('If-None-Match') || undefined, etag)) {
    ctx.status = 304;
    return;
  }
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
