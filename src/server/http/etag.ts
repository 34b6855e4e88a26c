import { createHash } from 'node:crypto';
import fresh from 'fresh';
import type { Context } from 'koa';

/** Whether `If-None-Match` contains this tag, by weak comparison (RFC 9110 section 13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  return header !== undefined && fresh({ 'if-none-match': header }, { etag });
}

/** The ETag of a body: another one for other content. */
export function buildEtag(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}

/** Sets the ETag. If the client has this version already, the response is a 304 and needs no body. */
export function isUnchanged(ctx: Pick<Context, 'get' | 'set' | 'status'>, etag: string): boolean {
  ctx.set('ETag', etag);
  if (!matchesEtag(ctx.get('If-None-Match') || undefined, etag)) return false;
  ctx.status = 304;
  return true;
}
