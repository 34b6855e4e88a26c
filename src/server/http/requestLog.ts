import type Koa from 'koa';
import type { Log } from '../log.ts';
import { requestSeconds } from '../metrics.ts';
import type { AppState } from '../tenant/tenant.ts';
import type { Config } from '../config/config.ts';

/** Of a path in the log. */
const pathLengthMax = 200;
/** Below these a path is a key: who has it acts for the person it was sent to. */
const keyPaths = /^(\/(?:withdraw|outcome)\/).*/s;

/** A path as the log may keep it. */
export function loggedPath(path: string): string {
  return path.slice(0, pathLengthMax).replace(keyPaths, '$1…');
}

type RouteClass = 'api' | 'trpc' | 'asset' | 'probe' | 'page';

const probes = new Set(['/healthz', '/readyz', '/metrics']);

/** A handful of classes, never the path: a label per path would let anyone grow our memory. */
function routeClass(path: string): RouteClass {
  if (path === '/api' || path.startsWith('/api/')) return 'api';
  if (path.startsWith('/trpc/')) return 'trpc';
  if (path.startsWith('/assets/')) return 'asset';
  return probes.has(path) ? 'probe' : 'page';
}

/**
 * One timing and one line a request, once its answer is out: no query string, no address, no user agent, since those tell who wanted what.
 * That somebody read a page is counted, and logged at `debug` alone: it is no news, and on a medical site nobody's business.
 */
export function requestLog({ log }: { log: Log }): Koa.Middleware<AppState> {
  return (ctx, next) => {
    const startedMs = performance.now();
    const { method, path, res } = ctx;
    res.on('close', () => {
      const ms = performance.now() - startedMs;
      requestSeconds.observe({ route: routeClass(path), status: res.statusCode }, ms / 1000);
      const level = (method === 'GET' || method === 'HEAD') && res.statusCode < 400 ? 'debug' : 'info';
      if (!log.isLevelEnabled(level)) return;
      const state: Partial<AppState> = ctx.state;
      const line = {
        method,
        path: loggedPath(path),
        status: res.statusCode,
        ms: Math.round(ms * 10) / 10,
        site: state.site?.kind ?? null,
        requestId: state.requestId,
      };
      log[level](res.writableFinished ? line : { ...line, aborted: true }, 'request');
    });
    return next();
  };
}

/**
 * Logs one warning when a request carries a proxy's header although no proxy is trusted: every visitor then counts as one network. The
 * address isn't logged.
 */
export function forwardedWarning({
  config,
  log,
}: {
  config: Pick<Config, 'trustedProxies'>;
  log: Log;
}): Koa.Middleware {
  let isPending = config.trustedProxies === 0;
  return ({ req: { headers } }, next) => {
    if (isPending && (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined)) {
      isPending = false;
      log.warn(
        'A request came through a proxy, but TRUSTED_PROXIES is 0: limits and evidence have the address of the proxy. Set TRUSTED_PROXIES to the number of proxies in front.',
      );
    }
    return next();
  };
}
