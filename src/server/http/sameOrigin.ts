import type Koa from 'koa';
import type { AppState } from '../tenant/tenant.ts';

/**
 * Whether a request comes from one of the site's own pages, by the Origin header that browsers add to whatever may change something: `own`,
 * `foreign`, or `none` where it is missing, as in a script's request. To a site by https its own name by http is foreign: whoever sits on the way may
 * have written that page. The reverse is let through, as where a proxy that isn't believed ends the https.
 */
export function originOf(ctx: Koa.ParameterizedContext<AppState>): 'own' | 'foreign' | 'none' {
  const given = ctx.get('Origin');
  if (given === '') return 'none';
  const origin = URL.parse(given);
  const { host, protocol } = ctx.state.client;
  // Parsed alike, so that a default port written out makes no difference.
  const isSafe = origin?.protocol === 'https:' || protocol === 'http';
  const isOwn = origin !== null && isSafe && URL.parse(`${origin.protocol}//${host}`)?.host === origin.host;
  return isOwn ? 'own' : 'foreign';
}
