import type { AppError } from '../errors.ts';
import type { Log } from '../log.ts';

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
