import type Koa from 'koa';
import { AppError } from '../errors.ts';
import type { AppState } from '../tenant/tenant.ts';
import { problem } from './errorBoundary.ts';

/**
 * Makes every request target `/path?query`, on which all later code relies: for others, Koa's path is null or throws.
 * An absolute target is split, and its host replaces the Host header (RFC 9112 section 3.2.2). Any other is a 400
 * without a log line.
 */
export function requestTarget(): Koa.Middleware<AppState> {
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
