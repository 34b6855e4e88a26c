import Koa from 'koa';
import { messages } from '#shared/brand/messages.ts';
import type { Config } from '../config/config.ts';
import { unavailable } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Bundle } from '../render/bundle.ts';
import { escapeHtml } from '../../shared/formats/text.ts';
import type { AppState } from '../tenant/tenant.ts';
import { version } from '../version.ts';
import { assets } from '../http/assets.ts';
import { problem } from '../http/errorBoundary.ts';
import { isOperator } from '../http/health.ts';
import { requestId, requestTarget } from '../http/requestStart.ts';
import { requestLog } from '../http/requestLog.ts';
import { setSecurityHeaders } from '../http/securityHeaders.ts';

const retryAfterSeconds = 5;
const reason = 'The process is starting and waits for Postgres.';

/** A page without scripts. It doesn't reload itself: no page of visitors does. */
function page(): string {
  const title = escapeHtml(messages.starting.title);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title></head><body><h1>${title}</h1><p>${escapeHtml(messages.starting.text)}</p></body></html>`;
}

/**
 * Serves requests until Postgres is reached for the first time: /healthz, built files, and 503 for everything else, as
 * providers and their domains are not known yet. A worker has no files. /healthz is 200, so that nobody restarts the
 * process, with another status in its body than later, so that a proxy that reads it (deploy/Caddyfile) sends visitors
 * to processes that are ready.
 */
export function createStartingApp({
  config,
  log,
  bundle,
  isStopping,
}: {
  config: Config;
  log: Log;
  bundle: Bundle | null;
  isStopping: () => boolean;
}): Koa<AppState> {
  const app = new Koa<AppState>();
  app.silent = true;
  app.use(requestId({ config }));
  app.use(requestTarget());
  app.use(requestLog({ log }));
  app.use((ctx, next) => {
    setSecurityHeaders(ctx, config.trustedProxies);
    return next();
  });
  app.use((ctx, next) => {
    if (ctx.path !== '/healthz') return next();
    ctx.set('Cache-Control', 'no-store');
    if (isStopping()) ctx.status = 503;
    const status = isStopping() ? 'unavailable' : 'starting';
    ctx.body = isOperator(ctx, config) ? { status, version } : { status };
    return undefined;
  });
  if (bundle !== null) app.use(assets({ bundle }));
  app.use((ctx) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (ctx.path === '/readyz') {
      ctx.status = 503;
      const status = 'unavailable';
      ctx.body = isOperator(ctx, config) ? { status, missing: 'database', reason } : { status };
    } else if (isRead && !/^\/(?:api|trpc)(?:\/|$)/.test(ctx.path)) {
      ctx.status = 503;
      ctx.type = 'text/html; charset=utf-8';
      ctx.body = page();
    } else problem(ctx, unavailable());
    ctx.set({ 'Cache-Control': 'no-store', 'Retry-After': String(retryAfterSeconds) });
  });
  return app;
}
