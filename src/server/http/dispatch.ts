import type Koa from 'koa';
import type { AppContext, AppMiddleware } from '../tenant/tenant.ts';
import type { Config } from '../config/config.ts';
import { setSecurityHeaders } from './securityHeaders.ts';

/** `trpc` of `/trpc/leads.create`. Every path begins with a slash (requestStart.ts). */
function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return end === -1 ? path.slice(1) : path.slice(1, end);
}

/** Routes a request by its first path segment; others continue. A page then costs one lookup, not a call of each. */
export function bySegment(table: Record<string, AppMiddleware>): AppMiddleware {
  const handlers = new Map(Object.entries(table));
  return (ctx, next) => {
    const handler = handlers.get(firstSegment(ctx.path));
    return handler === undefined ? next() : handler(ctx, next);
  };
}

interface Deps {
  config: Pick<Config, 'trustedProxies'>;
  /** Answers GET and HEAD at `cachedPaths`, with all headers. */
  pages: { middleware: AppMiddleware; cachedPaths: ReadonlySet<string> };
  tenant: AppMiddleware;
}

/**
 * Sends pages from memory first: writing all headers with one call takes half the time. Errors get the usual headers.
 */
export function pagesFirst({ config, pages, tenant }: Deps): AppMiddleware {
  async function answer(ctx: AppContext, next: Koa.Next): Promise<void> {
    try {
      await tenant(ctx, async () => {
        await pages.middleware(ctx, next);
      });
    } catch (error) {
      setSecurityHeaders(ctx, config.trustedProxies);
      throw error;
    }
  }
  return (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    return isRead && pages.cachedPaths.has(ctx.path) ? answer(ctx, next) : next();
  };
}
