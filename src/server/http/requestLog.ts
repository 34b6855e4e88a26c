import type Koa from 'koa';
import type { Log } from '../log.ts';
import type { AppState } from '../tenant/tenant.ts';

const pathLengthMax = 200;

/** One line a request once its answer is out: no query string, no address, no user agent, since those tell who wanted what. */
export function requestLog({ log }: { log: Log }): Koa.Middleware<AppState> {
  if (!log.isLevelEnabled('info')) return (_ctx, next) => next();
  return (ctx, next) => {
    const startedMs = performance.now();
    const { method, path } = ctx;
    ctx.res.once('close', () => {
      const state: Partial<AppState> = ctx.state;
      const line = {
        method,
        path: path.slice(0, pathLengthMax),
        status: ctx.res.statusCode,
        ms: Math.round((performance.now() - startedMs) * 10) / 10,
        site: state.site?.kind ?? null,
        requestId: state.requestId,
      };
      if (ctx.res.writableFinished) log.info(line, 'request');
      else log.info({ ...line, aborted: true }, 'request');
    });
    return next();
  };
}
