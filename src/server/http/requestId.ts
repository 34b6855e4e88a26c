import { randomUUID } from 'node:crypto';
import type Koa from 'koa';
import type { Config } from '../config/config.ts';
import type { AppState } from '../tenant/tenant.ts';
import { continueTrace } from '../trace.ts';

const acceptable = /^[A-Za-z0-9._-]{8,64}$/;

/**
 * Gives each request an id, sent as X-Request-Id (securityHeaders.ts), so that a person's report leads to a log line. A
 * trusted proxy's id is kept if it is a plain token. All others are replaced; otherwise, a client could forge the id of
 * another request. Anyone may name the request's trace in `traceparent`: nothing depends on it.
 */
export function requestId({ config }: { config: Pick<Config, 'trustedProxies'> }): Koa.Middleware<AppState> {
  return (ctx, next) => {
    const incoming = config.trustedProxies > 0 ? ctx.get('X-Request-Id') : '';
    ctx.state.requestId = acceptable.test(incoming) ? incoming : randomUUID();
    return continueTrace(ctx.req.headers['traceparent'], next);
  };
}
