import type Koa from 'koa';
import type { Config } from '../config/config.ts';
import type { AppState } from '../tenant/tenant.ts';
import { setSecurityHeaders } from './securityHeaders.ts';

type Middleware = Koa.Middleware<AppState>;

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
