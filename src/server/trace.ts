import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

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
  const [, version, id, flags = '', more] = pattern.exec(header) ?? [];
  if (id === undefined || (version === '00' && more !== undefined)) return null;
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
