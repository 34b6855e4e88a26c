import { createHash, timingSafeEqual } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type Koa from 'koa';
import type { Config } from '../config/config.ts';

type Context = Pick<Koa.Context, 'get' | 'req'>;

function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Whether a request has the metrics token; null if it has no token, or none is configured. */
export function hasMetricsToken(
  ctx: Context,
  { metricsToken }: Pick<Config, 'metricsToken'>,
): boolean | null {
  const [, bearer] = /^Bearer (\S+)$/i.exec(ctx.get('Authorization')) ?? [];
  return bearer === undefined || metricsToken === null ? null : sameSecret(bearer, metricsToken);
}

/** Any of these shows that a proxy on this machine forwarded the request. */
const proxyHeaders = [
  'X-Forwarded-For',
  'X-Forwarded-Proto',
  'X-Forwarded-Host',
  'Forwarded',
  'Via',
  'X-Real-IP',
];

/** Whether a request comes from this machine, and not through a proxy on it. */
export function isDirect(ctx: Context): boolean {
  const { remoteAddress } = ctx.req.socket;
  return (
    remoteAddress !== undefined &&
    ipaddr.process(remoteAddress).range() === 'loopback' &&
    proxyHeaders.every((name) => ctx.get(name) === '')
  );
}

/** Whether the details of a probe are for this request: it has the token, or comes from this machine without one. */
export function isOperator(ctx: Context, config: Pick<Config, 'metricsToken'>): boolean {
  return hasMetricsToken(ctx, config) ?? isDirect(ctx);
}
