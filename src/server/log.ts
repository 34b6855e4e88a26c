import { pino } from 'pino';

export type Log = pino.Logger;

/** Database errors carry the offending row in these; a log never may. */
const unsafeErrorKeys = new Set(['detail', 'parameters', 'args', 'query', 'params', 'where']);

/** SQLSTATE class 22: the database refused a value, and its message quotes it (PostgreSQL manual, appendix A). */
function quotesValue(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && /^22[0-9A-Z]{3}$/.test(error.code);
}

/** An error's message without the values that were written: Drizzle's ends in the parameters. */
export function safeMessage(error: Error): string {
  return quotesValue(error) ? 'the database refused a value' : (error.message.split('\nparams:')[0] ?? '');
}

/** Where it was thrown. The stack begins with the message, whole. */
function framesOf({ message, stack = '' }: Error): string {
  const at = stack.indexOf(message);
  return at === -1 ? '' : stack.slice(at + message.length);
}

/** An error for the log: type, message, stack and code, without what a driver or validator hung on it. */
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

/** A system call for each line would cost more than the line; what waits is written at the latest after half a second, and at exit. */
const buffered = { dest: 1, sync: false, minLength: 4096, periodicFlush: 500 } as const;

/** JSON lines on standard output. No contact details and no query strings: callers pass ids and paths only. */
export function createLog(level: string): Log {
  return pino({ level, base: null, serializers: { err: safeError } }, pino.destination(buffered));
}
