import { hostname } from 'node:os';
import { pino } from 'pino';
import { version } from './version.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

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
function listFrames({ message, stack = '' }: Error): string {
  const at = stack.indexOf(message);
  return at === -1 ? '' : stack.slice(at + message.length);
}

/** An error for the log: type, message, stack and code, without a driver's or validator's extra fields. */
export function safeError(error: Error): object {
  const message = safeMessage(error);
  const plain: Record<string, unknown> = {
    type: error.name,
    message,
    stack: `${error.name}: ${message}${listFrames(error)}`,
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

/** Lines are buffered to save system calls, and written after at most half a second and at exit. */
const buffered = { dest: 1, sync: false, minLength: 4096, periodicFlush: 500 } as const;
/** One for all logs of a process, as each writes at every half second, be it nothing. */
let output: ReturnType<typeof pino.destination> | undefined;

/**
 * JSON lines on standard output, with service, version, mode (`web`, `worker`, `dev` or command), machine and trace.
 */
export function createLog(level: string, mode = 'command'): Log {
  return pino(
    {
      level,
      base: { service: 'clinic-leads', version, mode, host: hostname() },
      serializers: { err: safeError },
      mixin: traceFields,
    },
    (output ??= pino.destination(buffered)),
  );
}

/** What a request or an attempt belongs to. It only connects log lines of several systems: nothing may trust it. */
interface Trace {
  /** 32 hexadecimal digits. */
  id: string;
  isSampled: boolean;
}

const traces = new AsyncLocalStorage<Trace>();

/** Version, trace id, parent id, flags. Only a later version than 00 may have more fields. */
const pattern =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]([0-9a-f])(-.*)?$/;

/** The trace that a `traceparent` header names (https://www.w3.org/TR/trace-context/); null if it is invalid. */
function parse(header: string): Trace | null {
  const [, format, id, flags = '', more] = pattern.exec(header) ?? [];
  if (id === undefined || (format === '00' && more !== undefined)) return null;
  return { id, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Runs work as a part of the trace that the header names. Without a valid header, it has none. */
export function continueTrace<T>(header: string | string[] | undefined, work: () => T): T {
  const trace = typeof header === 'string' ? parse(header) : null;
  return trace === null ? work() : traces.run(trace, work);
}

/** Runs work as a part of the current trace, or of a new one. */
export function withTrace<T>(work: () => T): T {
  if (traces.getStore() !== undefined) return work();
  return traces.run({ id: randomBytes(16).toString('hex'), isSampled: true }, work);
}

/** The current trace for a log line; empty without one. */
export function traceFields(): { traceId?: string } {
  const trace = traces.getStore();
  return trace === undefined ? {} : { traceId: trace.id };
}

/** The header that passes the current trace on with an outgoing request; empty without one. */
export function traceHeaders(): Record<string, string> {
  const trace = traces.getStore();
  if (trace === undefined) return {};
  const parentId = randomBytes(8).toString('hex');
  return { traceparent: `00-${trace.id}-${parentId}-${trace.isSampled ? '01' : '00'}` };
}
