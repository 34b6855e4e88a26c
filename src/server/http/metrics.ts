import { createHash, timingSafeEqual } from 'node:crypto';
import type Koa from 'koa';
import ipaddr from 'ipaddr.js';
import { collectDefaultMetrics } from 'prom-client';
import { AppError } from '../errors.ts';
import { directoryCurrent, directorySize, registry, requestSeconds } from '../metrics.ts';
import type { AppState } from '../tenant/tenant.ts';
import type { Services } from '../trpc/context.ts';

type RouteClass = 'api' | 'trpc' | 'asset' | 'page';

/** A handful of classes, never the path: a label per path would let anyone grow our memory. */
function routeClass(path: string): RouteClass {
  if (path === '/api' || path.startsWith('/api/')) return 'api';
  if (path.startsWith('/trpc/')) return 'trpc';
  return path.startsWith('/assets/') ? 'asset' : 'page';
}

function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** From this machine and not through a proxy on it, or with the token; to anyone else the path doesn't exist. */
function mayRead(ctx: Koa.ParameterizedContext<AppState>, token: string | null): boolean {
  const [, bearer] = /^Bearer (\S+)$/i.exec(ctx.get('Authorization')) ?? [];
  if (bearer !== undefined && token !== null) return sameSecret(bearer, token);
  const { remoteAddress } = ctx.req.socket;
  const forwarded = ctx.get('X-Forwarded-For') !== '' || ctx.get('Forwarded') !== '';
  return remoteAddress !== undefined && !forwarded && ipaddr.process(remoteAddress).range() === 'loopback';
}

let processMetricsCollected = false;

/** Times every request behind it and answers `GET /metrics` in Prometheus' text format. */
export function metricsEndpoint({
  services,
}: {
  services: Pick<Services, 'config' | 'tenants'>;
}): Koa.Middleware<AppState> {
  const { config, tenants } = services;
  if (!processMetricsCollected) {
    collectDefaultMetrics({ register: registry });
    processMetricsCollected = true;
  }
  return async (ctx, next) => {
    if (ctx.path !== '/metrics') {
      const endTimer = requestSeconds.startTimer({ route: routeClass(ctx.path) });
      ctx.res.once('close', () => endTimer({ status: String(ctx.res.statusCode) }));
      return next();
    }
    if (!mayRead(ctx, config.metricsToken)) throw new AppError('NOT_FOUND', 'Not found.');
    const { clinics, views, misses, current } = tenants.stats();
    directorySize.set({ kind: 'clinics' }, clinics);
    directorySize.set({ kind: 'views' }, views);
    directorySize.set({ kind: 'misses' }, misses);
    directoryCurrent.set(current ? 1 : 0);
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Content-Type', registry.contentType);
    ctx.body = await registry.metrics();
    return undefined;
  };
}
