import { type ErrorCode, errorStatuses } from '#shared/errorCodes.ts';

export type FieldErrors = Record<string, string>;

interface AppErrorOptions {
  cause?: unknown;
  /** Messages by field, for 422. */
  fields?: FieldErrors;
  /** Seconds after which the same call may work, for 429 and 503. */
  retryAfterSeconds?: number;
}

/** The one error domain code throws. `message` is a sentence for the person who made the call: no SQL, no stack, no personal data. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.fields = options.fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return errorStatuses[this.code];
  }
}

export function notFound(what: string): AppError {
  return new AppError('NOT_FOUND', `${what} not found`);
}

/**
 * A database that can't be reached or can't take it now, by the system's codes, the driver's, and SQLSTATE (PostgreSQL manual, appendix A):
 * shutting down, out of disk, memory or connections, a standby (25006), a transaction that lost against another (40001, 40P01) or waited too long for it (55P03).
 */
const connectionCodes = new Set([
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOTFOUND',
    'EAI_AGAIN',
  ],
  ...['CONNECT_TIMEOUT', 'CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED'],
  ...['57P01', '57P02', '57P03', '57P04', '57P05', '53000', '53100', '53200', '53300'],
  ...['08000', '08001', '08003', '08004', '08006', '25006', '40001', '40P01', '55P03'],
]);

function hasConnectionCode(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && connectionCodes.has(at.code)) return true;
  }
  return false;
}

/** The database is away or doesn't answer in time; the same call may work in a few seconds. */
export function unavailable(cause?: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'The service is temporarily unavailable. Please try again.', {
    cause,
    retryAfterSeconds: 5,
  });
}

/** Any thrown value as an AppError: a lost database is 503 with Retry-After, whatever isn't known is a masked 500. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof Error && error.cause instanceof AppError) return error.cause;
  if (hasConnectionCode(error)) return unavailable(error);
  return new AppError('INTERNAL_SERVER_ERROR', 'Something went wrong on our side. Please try again later.', {
    cause: error,
  });
}
