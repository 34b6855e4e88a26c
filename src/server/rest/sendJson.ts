import { createHash } from 'node:crypto';
import type Koa from 'koa';
import type { PreparedJson } from '../features/providers/activeList.ts';
import { acceptedEncodings } from '../http/acceptEncoding.ts';
import { matchesEtag } from '../http/etag.ts';
import type { AppState } from '../tenant/tenant.ts';

type Context = Koa.ParameterizedContext<AppState>;

/** Sends a value as JSON; one that is worth asking for again carries an ETag. */
export function sendJson(
  ctx: Context,
  status: number,
  output: unknown,
  caching: 'revalidate' | 'no-store',
): void {
  const body = JSON.stringify(output);
  ctx.set('Cache-Control', caching === 'no-store' ? 'no-store' : 'no-cache');
  if (caching === 'revalidate') {
    const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
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

/** Sends the bytes as they lie in memory, in an encoding the client takes. */
export async function sendPrepared(
  ctx: Context,
  { etag, body, stream, byteLength }: PreparedJson,
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
    ctx.body = ctx.method === 'HEAD' ? '' : stream();
    ctx.length = byteLength;
    return;
  }
  ctx.body = await body(encoding);
  ctx.set('Content-Encoding', encoding);
}
