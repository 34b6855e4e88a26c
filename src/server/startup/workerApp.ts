import Koa from 'koa';
import type { BaseServices } from '../createServices.ts';
import { createDatabaseMetrics } from '../background/databaseMetrics.ts';
import { readMigrations } from '../db/applyMigrations.ts';
import { AppError } from '../errors.ts';
import { errorBoundary } from '../http/errorBoundary.ts';
import { createChecks, health } from '../http/health.ts';
import { metricsEndpoint } from '../http/metrics.ts';
import { requestId, requestTarget } from '../http/requestStart.ts';
import { requestLog } from '../http/requestLog.ts';
import type { AppState } from '../tenant/tenant.ts';

/** What a worker process answers at METRICS_PORT: /healthz, /readyz and /metrics. */
export function createWorkerApp(
  services: BaseServices,
  { isStopping }: { isStopping: () => boolean },
): Koa<AppState> {
  const { config, log, loops } = services;
  const app = new Koa<AppState>();
  app.silent = true;
  const checks = createChecks({
    services,
    knownMigrations: readMigrations().map(({ name }) => name),
    isStopping,
    isStalled: () => loops.stalled().length > 0,
  });
  app.use(requestId({ config }));
  app.use(requestTarget());
  app.use(requestLog({ log }));
  app.use(errorBoundary({ log }));
  app.use(health({ services, checks }));
  app.use(metricsEndpoint({ services, checks, readDatabase: createDatabaseMetrics(services) }));
  app.use(() => {
    throw new AppError('NOT_FOUND', 'Not found.');
  });
  return app;
}
