import { collectDefaultMetrics } from 'prom-client';
import type { Config } from '../config/config.ts';
import { AppError } from '../errors.ts';
import { type Checks, hasMetricsToken, isDirect } from './health.ts';
import {
  appReady,
  directoryCurrent,
  directorySize,
  migrationsPending,
  registry,
  tasksStalled,
} from '../metrics.ts';
import { loopbackHosts, parseHost } from '../tenant/parseHost.ts';
import type { AppContext, AppMiddleware } from '../tenant/tenant.ts';
import type { Services } from '../services.ts';

/**
 * With the token. Outside production, also from this machine, but not through a proxy on it, and only by a loopback
 * name, since a foreign page can point its own name here (DNS rebinding). For everyone else, the path is a 404.
 */
function mayRead(ctx: AppContext, config: Config): boolean {
  return (
    hasMetricsToken(ctx, config) ??
    (!config.production && isDirect(ctx) && parseHost(ctx.get('Host'), loopbackHosts).kind === 'main')
  );
}

let processMetricsCollected = false;

interface MetricsOptions {
  services: Pick<Services, 'config' | 'tenants' | 'loops'>;
  checks: Pick<Checks, 'ready' | 'pendingMigrations'>;
  /** Sets the gauges of the database; never rejects. */
  readDatabase: () => Promise<void>;
}

/** Answers `GET /metrics` for Prometheus within about two seconds; without a database, with the process's figures. */
export function metricsEndpoint({ services, checks, readDatabase }: MetricsOptions): AppMiddleware {
  const { config, tenants, loops } = services;
  if (!processMetricsCollected) {
    collectDefaultMetrics({ register: registry });
    processMetricsCollected = true;
  }
  async function answer(ctx: AppContext): Promise<void> {
    if (!mayRead(ctx, config)) throw new AppError('NOT_FOUND', 'Not found.');
    const [{ missing }, pending] = await Promise.all([
      checks.ready(),
      checks.pendingMigrations(),
      readDatabase(),
    ]);
    appReady.set(missing === null ? 1 : 0);
    if (pending === null) migrationsPending.remove();
    else migrationsPending.set(pending);
    tasksStalled.set(loops.stalled().length);
    const { providers, records, misses, current } = tenants.stats();
    directorySize.set({ kind: 'clinics' }, providers);
    directorySize.set({ kind: 'records' }, records);
    directorySize.set({ kind: 'misses' }, misses);
    directoryCurrent.set(current ? 1 : 0);
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Content-Type', registry.contentType);
    ctx.body = await registry.metrics();
  }

  return (ctx, next) => (ctx.path === '/metrics' ? answer(ctx) : next());
}
