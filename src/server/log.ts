import { hostname } from 'node:os';
import { pino } from 'pino';
import { traceFields } from './trace.ts';
import { version } from './version.ts';

/** What happened: a subject and a verb, such as `sync.failed`. Stable, for searches and alerts on logs. */
type LogEvent = `${string}.${string}`;

interface LogFields {
  event: LogEvent;
  [field: string]: unknown;
}

type WriteLine = (fields: LogFields, message: string) => void;

/** Fields are ids, counts and paths only: no contact details, no query strings. */
export interface Log {
  error: WriteLine;
  warn: WriteLine;
  info: WriteLine;
  debug: WriteLine;
  isLevelEnabled: (level: 'error' | 'warn' | 'info' | 'debug') => boolean;
}

/** Database errors quote the row in these fields; a log must not. */
const unsafeErrorKeys = new Set(['detail', 'parameters', 'args', 'query', 'params', 'where']);

/** SQLSTATE class 22: the database refused a value, and its message quotes it (PostgreSQL manual, appendix A). */
function quotesValue(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && /^22[0-9A-Z]{3}$/.test(error.code);
}

/** An error's message without values: Drizzle's ends with the parameters. */
export function safeMessage(error: Error): string {
  return quotesValue(error) ? 'the database refused a value' : (error.message.split('\nparams:')[0] ?? '');
}

/** Where it was thrown. The stack starts with the full message. */
function framesOf({ message, stack = '' }: Error): string {
  const at = stack.indexOf(message);
  return at === -1 ? '' : stack.slice(at + message.length);
}

/** An error for the log: type, message, stack and code, without a driver's or validator's extra fields. */
export function safeError(error: Error): object {
  const message = safeMessage(error);
  const plain: Record<string, unknown> = {
    type: error.name,
    message,
    stack: `${error.name}: ${message}${framesOf(error)}`,
  };
  for (const [key, value] of Object.entries(error)) {
    if (
      !unsafeErrorKeys.has(key) &&
      (typeof value === 'string' || typeof value === 'number') &&
      !(key in plain)
    )
      plain[key] = value;
  }
  if (error.cause instanceof Error) plain['cause'] = safeError(error.cause);
  return plain;
}

/**
 * Lines are buffered, as a system call for each costs more than the line, and written after half a second at most, and
 * at exit.
 */
const buffered = { dest: 1, sync: false, minLength: 4096, periodicFlush: 500 } as const;

/**
 * JSON lines on standard output, each with the service, its version, what the process does (`web`, `worker`, `dev`, or a
 * command), its machine, and the current trace, if there is one.
 */
export function createLog(level: string, mode = 'command'): Log {
  return pino(
    {
      level,
      base: { service: 'clinic-leads', version, mode, host: hostname() },
      serializers: { err: safeError },
      mixin: traceFields,
    },
    pino.destination(buffered),
  );
}
