import { type ErrorCode, errorTitles } from '#shared/errorCodes.ts';
import { AppError, toAppError } from '../errors.ts';
import type { Log } from '../log.ts';
import { loggedPath } from './requestLog.ts';
import type { AppContext, AppMiddleware } from '../tenant/tenant.ts';

/** Headers that describe the failed response. Rate limit, security and id headers stay. */
const staleHeaders = [
  'Content-Encoding',
  'Content-Disposition',
  'Content-Length',
  'ETag',
  'Last-Modified',
  'Vary',
  'Location',
];

/** Responds with `application/problem+json` (RFC 9457). `error` repeats `detail`, as the REST specification says. */
export function problem(ctx: AppContext, error: AppError): void {
  for (const header of staleHeaders) ctx.remove(header);
  ctx.status = error.status;
  ctx.set('Content-Type', 'application/problem+json');
  ctx.set('Cache-Control', 'no-store');
  if (error.retryAfterSeconds !== undefined)
    ctx.set('Retry-After', String(Math.ceil(error.retryAfterSeconds)));
  ctx.body = JSON.stringify({
    type: 'about:blank',
    title: errorTitles[error.code],
    status: error.status,
    detail: error.message,
    error: error.message,
    ...(error.fields === undefined ? {} : { errors: error.fields }),
    ...(error.reason === undefined ? {} : { reason: error.reason }),
    requestId: ctx.state.requestId,
  });
}

/** Errors of Koa, its router and body parsers. Any other 4xx of theirs becomes BAD_REQUEST. */
const codesByStatus: Partial<Record<number, ErrorCode>> = {
  404: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

/** Koa and body parsers throw a `status`. A 4xx keeps it but gets our message, as theirs may quote the request. */
function fromHttpError(error: unknown): AppError | null {
  if (!(error instanceof Error) || error instanceof AppError || !('status' in error)) return null;
  const { status } = error;
  if (typeof status !== 'number' || status < 400 || status > 499) return null;
  const code = codesByStatus[status] ?? 'BAD_REQUEST';
  return new AppError(code, `${errorTitles[code]}.`, { cause: error });
}

/** The only place that answers and logs HTTP errors. An unknown error is logged in full, as a 500 with a reference. */
export function errorBoundary({ log }: { log: Log }): AppMiddleware {
  function fail(ctx: AppContext, thrown: unknown): void {
    const error = fromHttpError(thrown) ?? toAppError(thrown);
    if (error.status >= 500) {
      const line = {
        err: error.cause ?? error,
        requestId: ctx.state.requestId,
        method: ctx.method,
        path: loggedPath(ctx.path),
      };
      if (error.code === 'SERVICE_UNAVAILABLE')
        log.warn({ event: 'request.unavailable', ...line }, 'unavailable');
      else log.error({ event: 'request.failed', ...line }, 'request failed');
    }
    if (ctx.res.headersSent) {
      ctx.res.destroy(); // too late to answer otherwise; a cut connection can't be taken for a whole answer
      return;
    }
    ctx.respond = true;
    problem(ctx, error);
  }

  function settle(ctx: AppContext): void {
    const unanswered =
      ctx.status === 404 && ctx.body === undefined && ctx.respond !== false && !ctx.res.headersSent;
    if (unanswered) problem(ctx, new AppError('NOT_FOUND', 'Not found.'));
  }

  return (ctx, next) =>
    next().then(
      () => settle(ctx),
      (thrown: unknown) => fail(ctx, thrown),
    );
}

interface Where {
  requestId: string;
  /** The procedure or the REST route's pattern, never the requested path. */
  procedure: string | undefined;
}

/**
 * Logs an unexpected error in full, with the reference that a person's report contains. Expected errors are not logged.
 */
export function logFailure(log: Log, error: AppError, where: Where): void {
  if (error.status < 500) return;
  const line = { err: error.cause ?? error, ...where };
  if (error.code === 'SERVICE_UNAVAILABLE')
    log.warn({ event: 'procedure.unavailable', ...line }, 'unavailable');
  else log.error({ event: 'procedure.failed', ...line }, 'procedure failed');
}
