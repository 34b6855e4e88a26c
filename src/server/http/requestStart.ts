import { randomUUID } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { AppMiddleware } from '../tenant/tenant.ts';
import { continueTrace } from '../log.ts';
import { AppError } from '../errors.ts';
import { problem } from './errorBoundary.ts';

const acceptable = /^[A-Za-z0-9._-]{8,64}$/;

/**
 * Gives each request an id, sent as X-Request-Id (securityHeaders.ts), so that a person's report leads to a log line. A
 * trusted proxy's id is kept if it is a plain token. All others are replaced; otherwise, a client could forge the id of
 * another request. Anyone may name the request's trace in `traceparent`: nothing depends on it.
 */
export function requestId({ config }: { config: Pick<Config, 'trustedProxies'> }): AppMiddleware {
  return (ctx, next) => {
    const incoming = config.trustedProxies > 0 ? ctx.get('X-Request-Id') : '';
    ctx.state.requestId = acceptable.test(incoming) ? incoming : randomUUID();
    return continueTrace(ctx.req.headers['traceparent'], next);
  };
}

/**
 * Makes every request target `/path?query`, as Koa's path is null or throws for others. Splits an absolute target,
 * whose host replaces the Host header (RFC 9112 section 3.2.2). Any other is a 400 without a log line.
 */
export function requestTarget(): AppMiddleware {
  return (ctx, next) => {
    const { req } = ctx;
    if (req.url?.startsWith('/') === true) return next();
    const url = URL.parse(req.url ?? '');
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
      ctx.set('X-Request-Id', ctx.state.requestId);
      problem(ctx, new AppError('BAD_REQUEST', 'The request target is not valid.'));
      return undefined;
    }
    req.url = `${url.pathname}${url.search}`;
    req.headers.host = url.host;
    return next();
  };
}
