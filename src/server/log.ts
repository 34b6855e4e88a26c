import { pino } from 'pino';

export type Log = pino.Logger;

/** Database errors carry the offending row in these; a log never may. */
const unsafeErrorKeys = new Set(['detail', 'parameters', 'args', 'query', 'params', 'where']);

/** An error for the log: type, message, stack and code, without what a driver or validator hung on it. Drizzle's message quotes the parameters. */
function safeError(error: Error): object {
  const plain: Record<string, unknown> = {
    type: error.name,
    message: error.message.split('\nparams:')[0],
    stack: error.stack?.split('\nparams:')[0],
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
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: safeError } },
    pino.destination(buffered),
  );
}
