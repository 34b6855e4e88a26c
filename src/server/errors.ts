import { messages } from '#shared/brand/messages.ts';
import { type ErrorCode, type ErrorReason, errorStatuses } from '#shared/errorCodes.ts';
import { z } from 'zod';

export type FieldErrors = Record<string, string>;

interface AppErrorOptions {
  cause?: unknown;
  /** Messages by field, for 422. */
  fields?: FieldErrors;
  /** For callers that must distinguish this error from others with the same code. */
  reason?: ErrorReason;
  /** Seconds after which the same call may succeed, for 429 and 503. */
  retryAfterSeconds?: number;
}

/** The error that domain code throws. `message` is a sentence for the caller, without SQL, stack or personal data. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  readonly reason: ErrorReason | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.fields = options.fields;
    this.reason = options.reason;
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
 * Errors of a database that is unreachable or can't run any statement now, by codes of the system, the driver, and
 * SQLSTATE (PostgreSQL manual, appendix A): shutting down, out of disk, memory or connections, a standby (25006).
 */
const awayCodes = new Set([
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
  ...['08000', '08001', '08003', '08004', '08006', '25006'],
]);

/** Another transaction was in the way: a serialization failure, a deadlock, a lock timeout. */
const conflictCodes = new Set(['40001', '40P01', '55P03']);

/** Whether an error, or what caused it, has one of these codes. */
export function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && codes.has(at.code)) return true;
  }
  return false;
}

/** Whether the database was unreachable or can't run any statement now. */
export function isDatabaseAway(error: unknown): boolean {
  return hasCode(error, awayCodes);
}

/** The database is unreachable or too slow; the same call may succeed in a few seconds. */
export function unavailable(cause?: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', messages.unavailable, {
    cause,
    retryAfterSeconds: 5,
  });
}

/** Converts any thrown value to an AppError: a lost database is 503 with Retry-After, anything unknown a masked 500. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof Error && error.cause instanceof AppError) return error.cause;
  if (isDatabaseAway(error) || hasCode(error, conflictCodes)) return unavailable(error);
  return new AppError('INTERNAL_SERVER_ERROR', messages.failed, {
    cause: error,
  });
}

const fallback = 'This value is not valid.';

function joinList(values: readonly unknown[]): string {
  return values.length === 1
    ? `The only choice is ${String(values[0])}.`
    : `Choose one of: ${values.join(', ')}.`;
}

function typeMessage(expected: string, schema: unknown): string {
  switch (expected) {
    case 'string':
      return 'Enter a text.';
    case 'int':
      return 'Enter a whole number.';
    case 'number':
      return schema instanceof z.ZodNumber && schema.format === 'safeint'
        ? 'Enter a whole number.'
        : 'Enter a number.';
    case 'boolean':
      return 'Enter true or false.';
    case 'date':
      return 'Enter a date.';
    case 'array':
      return 'Send a list.';
    case 'object':
    case 'record':
      return 'Send an object.';
    default:
      return fallback;
  }
}

interface Bound {
  origin: string;
  bound: number | bigint;
  inclusive: boolean;
}

function smallMessage({ origin, bound, inclusive }: Bound): string {
  const least = bound.toLocaleString('en-US');
  if (origin === 'string') return bound === 1 ? 'Enter a text.' : `Use at least ${least} characters.`;
  if (origin === 'array' || origin === 'set')
    return bound === 1 ? 'The list is empty.' : `Send at least ${least} values.`;
  return inclusive ? `Enter ${least} or more.` : `Enter more than ${least}.`;
}

function bigMessage({ origin, bound, inclusive }: Bound): string {
  const most = bound.toLocaleString('en-US');
  if (origin === 'string') return `Use at most ${most} characters.`;
  if (origin === 'array' || origin === 'set') return `Send at most ${most} values.`;
  return inclusive ? `Enter ${most} or less.` : `Enter less than ${most}.`;
}

const formatMessages: Partial<Record<string, string>> = {
  email: 'Enter an email address, such as name@example.com.',
  url: 'Enter a web address, such as https://example.com.',
  date: 'Enter a date, such as 2026-06-01.',
  datetime: 'Enter a date and time in UTC, such as 2026-06-01T12:00:00Z.',
  uuid: 'Enter a UUID.',
  guid: 'Enter a UUID.',
};

/** The only place that turns schema issues without their own message into sentences. Quotes nothing of the input. */
export function inputMessage(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined && issue.code !== 'custom') return 'This field is required.';
  switch (issue.code) {
    case 'invalid_type':
      return typeMessage(issue.expected, issue.inst);
    case 'invalid_value':
      return joinList(issue.values);
    case 'too_small':
      return smallMessage({
        origin: issue.origin,
        bound: issue.minimum,
        inclusive: issue.inclusive !== false,
      });
    case 'too_big':
      return bigMessage({ origin: issue.origin, bound: issue.maximum, inclusive: issue.inclusive !== false });
    case 'invalid_format':
      return formatMessages[issue.format] ?? 'This value has the wrong format.';
    case 'not_multiple_of':
      return `Enter a multiple of ${issue.divisor}.`;
    case 'unrecognized_keys':
      return 'There is an unknown field.';
    case 'invalid_union':
      return Array.isArray(issue.options) ? joinList(issue.options) : fallback;
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
    default:
      return fallback;
  }
}
