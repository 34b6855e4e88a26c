import { randomUUID } from 'node:crypto';
import type Koa from 'koa';
import type { Config } from '../config/config.ts';
import type { AppState } from '../tenant/tenant.ts';

const acceptable = /^[A-Za-z0-9._-]{8,64}$/;

/**
 * Gives each request an id, answered as X-Request-Id (securityHeaders.ts), so that a person's report and a log line meet. A trusted proxy's id is kept when
 * it is a plain token; anyone else's is replaced, or a client could forge another request's trail.
 */
export function requestId({ config }: { config: Pick<Config, 'trustedProxies'> }): Koa.Middleware<AppState> {
  return (ctx, next) => {
    const incoming = config.trustedProxies > 0 ? ctx.get('X-Request-Id') : '';
    ctx.state.requestId = acceptable.test(incoming) ? incoming : randomUUID();
    return next();
  };
}
