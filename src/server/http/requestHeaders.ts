import Negotiator from 'negotiator';
import type { IncomingMessage } from 'node:http';
import type { AppContext } from '../tenant/tenant.ts';
import { createHash } from 'node:crypto';
import fresh from 'fresh';
import type { Context } from 'koa';

export type Encoding = 'br' | 'gzip' | 'identity';

/** The encodings that a client accepts, best first. The last is always identity, which no response refuses. */
type Preference = readonly Encoding[];

const none: Preference = ['identity'];
/** Results by header. Browsers send a handful of different headers, but clients may send any, so the map is bounded. */
const known = new Map<string, Preference>();
const knownMax = 200;

function parse(header: string): Preference {
  // RFC 9110: `x-gzip` is an old name of gzip.
  const request = { headers: { 'accept-encoding': header.replaceAll(/\bx-gzip\b/gi, 'gzip') } };
  // Our order decides between equals.
  const accepted = new Negotiator(request).encodings(['br', 'gzip', 'identity'], {
    preferred: ['br', 'gzip'],
  });
  // What the client wants less than an uncompressed response isn't worth compressing.
  const place = accepted.indexOf('identity');
  const wanted = (['br', 'gzip'] as const)
    .filter((coding) => accepted.includes(coding) && (place === -1 || accepted.indexOf(coding) < place))
    .toSorted((one, other) => accepted.indexOf(one) - accepted.indexOf(other));
  return [...wanted, 'identity'];
}

/** The encodings that an `Accept-Encoding` header accepts, best first (RFC 9110 section 12.5.3). */
export function acceptedEncodings(header: string | undefined): Preference {
  if (header === undefined || header === '') return none;
  const found = known.get(header);
  if (found !== undefined) return found;
  const parsed = parse(header);
  if (known.size >= knownMax) known.clear();
  known.set(header, parsed);
  return parsed;
}

/**
 * Whether the browser sends Global Privacy Control (https://w3c.github.io/gpc/), which the law requires us to honor.
 */
export function isOptedOut({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const signal = headers['sec-gpc'];
  return typeof signal === 'string' && signal.trim() === '1';
}

/**
 * Whether a request comes from the site's own pages, by its Origin header: `own`, `foreign`, or `none` without one, as
 * in a script's. For an https site, its own name on http is foreign, since a network attacker may have written that
 * page. The reverse is allowed, because an untrusted proxy may terminate https.
 */
export function getOrigin(ctx: AppContext): 'own' | 'foreign' | 'none' {
  const given = ctx.get('Origin');
  if (given === '') return 'none';
  const origin = URL.parse(given);
  const { host, protocol } = ctx.state.client;
  // Parsed in the same way, so that an explicit default port makes no difference.
  const isSafe = origin?.protocol === 'https:' || protocol === 'http';
  const isOwn = origin !== null && isSafe && URL.parse(`${origin.protocol}//${host}`)?.host === origin.host;
  return isOwn ? 'own' : 'foreign';
}

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
