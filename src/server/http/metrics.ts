import { createHash, timingSafeEqual } from 'node:crypto';
import type Koa from 'koa';
import ipaddr from 'ipaddr.js';
import { collectDefaultMetrics } from 'prom-client';
import { AppError } from '../errors.ts';
import { directoryCurrent, directorySize, registry } from '../metrics.ts';
import type { AppState } from '../tenant/tenant.ts';
import type { Services } from '../trpc/context.ts';

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

/** Answers `GET /metrics` in Prometheus' text format. */
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
  async function answer(ctx: Koa.ParameterizedContext<AppState>): Promise<void> {
    if (!mayRead(ctx, config.metricsToken)) throw new AppError('NOT_FOUND', 'Not found.');
    const { clinics, records, misses, current } = tenants.stats();
    directorySize.set({ kind: 'clinics' }, clinics);
    directorySize.set({ kind: 'records' }, records);
    directorySize.set({ kind: 'misses' }, misses);
    directoryCurrent.set(current ? 1 : 0);
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Content-Type', registry.contentType);
    ctx.body = await registry.metrics();
  }

  return (ctx, next) => (ctx.path === '/metrics' ? answer(ctx) : next());
}
