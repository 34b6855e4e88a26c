import type Koa from 'koa';
import type { AppState } from '../tenant/tenant.ts';

/**
 * Whether a request comes from one of the site's own pages, by the Origin header that browsers add to requests that may
 * change something: `own`, `foreign`, or `none` without the header, as in a script's request. For a site on https, its
 * own name on http is foreign, since a network attacker may have written that page. The reverse is allowed, because a
 * proxy that is not trusted may terminate https.
 */
export function originOf(ctx: Koa.ParameterizedContext<AppState>): 'own' | 'foreign' | 'none' {
  const given = ctx.get('Origin');
  if (given === '') return 'none';
  const origin = URL.parse(given);
  const { host, protocol } = ctx.state.client;
  // Parsed in the same way, so that an explicit default port makes no difference.
  const isSafe = origin?.protocol === 'https:' || protocol === 'http';
  const isOwn = origin !== null && isSafe && URL.parse(`${origin.protocol}//${host}`)?.host === origin.host;
  return isOwn ? 'own' : 'foreign';
}
