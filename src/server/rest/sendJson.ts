import { createHash } from 'node:crypto';
import type Koa from 'koa';
import type { PreparedJson } from '../features/providers/activeList.ts';
import { acceptedEncodings } from '../http/acceptEncoding.ts';
import { matchesEtag } from '../http/etag.ts';
import type { AppState } from '../tenant/tenant.ts';

type Context = Koa.ParameterizedContext<AppState>;

/** A JSON text with the tag of its content. */
interface SerializedJson {
  body: string;
  etag: string;
}

/** Makes a value's JSON text and tag once, for an answer that is sent many times. */
export function serialize(output: unknown): SerializedJson {
  const body = JSON.stringify(output);
  return { body, etag: `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}

/** Sends a text that is worth asking for again: with its ETag, and 304 to whoever has it. */
export function sendSerialized(ctx: Context, { body, etag }: SerializedJson, status = 200): void {
  ctx.set({ 'Cache-Control': 'no-cache', ETag: etag });
  if (matchesEtag(ctx.get('If-None-Match') || undefined, etag)) {
    ctx.status = 304;
    return;
  }
  ctx.status = status;
  ctx.type = 'application/json';
  ctx.body = body;
}

/** Sends a value as JSON; one that is worth asking for again carries an ETag. */
export function sendJson(
  ctx: Context,
  status: number,
  output: unknown,
  caching: 'revalidate' | 'no-store',
): void {
  if (caching === 'revalidate') {
    sendSerialized(ctx, serialize(output), status);
    return;
  }
  ctx.set('Cache-Control', 'no-store');
  ctx.status = status;
  ctx.type = 'application/json';
  ctx.body = JSON.stringify(output);
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
