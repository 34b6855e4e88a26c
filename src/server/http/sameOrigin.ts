import type Koa from 'koa';
import type { AppState } from '../tenant/tenant.ts';
import { forwardedValue } from './clientAddress.ts';

/**
 * Whether a request comes from one of the site's own pages, by the Origin header that browsers add to whatever may change something: `own`,
 * `foreign`, or `none` where it is missing, as in a script's request.
 */
export function originOf(
  ctx: Koa.ParameterizedContext<AppState>,
  trustedProxies: number,
): 'own' | 'foreign' | 'none' {
  const given = ctx.get('Origin');
  if (given === '') return 'none';
  const origin = URL.parse(given);
  const host = forwardedValue(ctx.req.headers['x-forwarded-host'], trustedProxies) ?? ctx.get('Host');
  // Parsed alike, so that a default port written out makes no difference.
  const isOwn = origin !== null && URL.parse(`${origin.protocol}//${host}`)?.host === origin.host;
  return isOwn ? 'own' : 'foreign';
}
