import type Koa from 'koa';
import type { AppState } from '../tenant/tenant.ts';

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
