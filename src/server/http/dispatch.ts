import type Koa from 'koa';
import type { AppState } from '../tenant/tenant.ts';
import type { Config } from '../config/config.ts';
import { setSecurityHeaders } from './securityHeaders.ts';

type Middleware = Koa.Middleware<AppState>;

/** `trpc` of `/trpc/leads.create`; a path of ours begins with a slash (requestTarget.ts). */
function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return end === -1 ? path.slice(1) : path.slice(1, end);
}

/**
 * Hands a request to the one that answers below its path's first segment; all others go on. A page, which is none of theirs, passes a look-up
 * instead of each of them in turn.
 */
export function bySegment(table: Record<string, Middleware>): Middleware {
  const handlers = new Map(Object.entries(table));
  return (ctx, next) => {
    const handler = handlers.get(firstSegment(ctx.path));
    return handler === undefined ? next() : handler(ctx, next);
  };
}

interface Deps {
  config: Pick<Config, 'trustedProxies'>;
  /** Answers GET and HEAD at `cachedPaths` with all headers an answer needs. */
  pages: { middleware: Middleware; cachedPaths: ReadonlySet<string> };
  tenant: Middleware;
}

/**
 * Pages from memory, before headers are set for everything else: written at once by the page itself they cost half. What fails on the way there
 * gets the headers of every answer before it becomes one.
 */
export function pagesFirst({ config, pages, tenant }: Deps): Middleware {
  async function answer(ctx: Koa.ParameterizedContext<AppState>, next: Koa.Next): Promise<void> {
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
