import type Koa from 'koa';
import { type Log, traceFields } from '../log.ts';
import { requestSeconds } from '../metrics.ts';
import type { AppMiddleware, AppState } from '../tenant/tenant.ts';
import type { Config } from '../config/config.ts';
import { eventsPath } from '#shared/admin/staff.ts';

const pathLengthMax = 200;
/** Below these, a path is a key: its owner acts for the person to whom it was sent. */
const keyPaths = /^(\/(?:withdraw|outcome|sign-in|confirm-address|weekly-email)\/).*/s;

export function loggedPath(path: string): string {
  return path.slice(0, pathLengthMax).replace(keyPaths, '$1…');
}

type RouteClass = 'api' | 'trpc' | 'stream' | 'asset' | 'probe' | 'page';

const probes = new Set(['/healthz', '/readyz', '/metrics']);

/** A handful of classes, never the path: a label per path would let anyone fill the memory. */
function routeClass(path: string): RouteClass {
  // It takes hours, which would hide how long the API takes.
  if (path === eventsPath) return 'stream';
  if (path === '/api' || path.startsWith('/api/')) return 'api';
  if (path.startsWith('/trpc/')) return 'trpc';
  if (path.startsWith('/assets/')) return 'asset';
  return probes.has(path) ? 'probe' : 'page';
}

/**
 * One timing and one line per request, after its response: without query string, address and user agent, which reveal
 * who wanted what. A page view is counted and logged at `debug` only, since on a medical site it is private.
 */
export function requestLog({ log }: { log: Log }): AppMiddleware {
  return (ctx, next) => {
    const startedMs = performance.now();
    const { method, path, res } = ctx;
    // The response is closed by the connection, which belongs to no trace.
    const trace = traceFields();
    res.on('close', () => {
      const ms = performance.now() - startedMs;
      requestSeconds.observe({ route: routeClass(path), status: res.statusCode }, ms / 1000);
      const level = (method === 'GET' || method === 'HEAD') && res.statusCode < 400 ? 'debug' : 'info';
      if (!log.isLevelEnabled(level)) return;
      const state: Partial<AppState> = ctx.state;
      const line = {
        event: 'request.ended' as const,
        ...trace,
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

/** Warns once of a proxy's header if no proxy is trusted: all visitors count as one network. Logs no address. */
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
        { event: 'proxy.untrusted' },
        'A request came through a proxy, but TRUSTED_PROXIES is 0: limits and evidence have the address of the proxy. Set TRUSTED_PROXIES to the number of proxies in front.',
      );
    }
    return next();
  };
}
