import { unavailable, toAppError } from '../errors.ts';
import type { DatabaseHealth } from './poolWatchdog.ts';

/** The limit of a change: a person waits, and the browser gives up later (client/forms/lead/leadApi.ts). */
const writeTimeoutMs = 8_000;
/** The limit of a change while the process is stopping. The server drains a little longer (http/httpServer.ts). */
const stoppingTimeoutMs = 4_000;
/** The limit of a public read. */
const readTimeoutMs = 1_800;

/** How often a wait checks whether the database is down or the process is stopping. */
const lookEveryMs = 200;

type Health = Pick<DatabaseHealth, 'state' | 'stopping'>;

interface Limit {
  timeoutMs: number;
  /** If set, the wait ends when the database is down, and four seconds after the process begins to stop. */
  health?: Health;
}

/** Throws SERVICE_UNAVAILABLE while the database is known to be down. */
function refuseWhileDown(health: Health): void {
  if (health.state() === 'down') throw unavailable();
}

/**
 * Throws SERVICE_UNAVAILABLE after `timeoutMs`, but a change may be committed later: a repetition needs the same key.
 */
export async function withTimeout<Result>(
  work: Promise<Result>,
  { timeoutMs, health }: Limit,
): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(unavailable()), timeoutMs);
  let stopsAtMs = Infinity;
  const look = (): void => {
    if (health?.stopping?.aborted === true)
      stopsAtMs = Math.min(stopsAtMs, performance.now() + stoppingTimeoutMs);
    if (health?.state() === 'down' || performance.now() >= stopsAtMs) reject(unavailable());
  };
  if (health !== undefined) look();
  const watch = health === undefined ? undefined : setInterval(look, lookEveryMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
  }
}

/** A public read's queries within `readTimeoutMs`, less `waitedMs`. They may finish later, so they must not respond. */
export function readAllWithTimeout<Result>(work: () => Promise<Result>, waitedMs = 0): Promise<Result> {
  return withTimeout(work(), { timeoutMs: readTimeoutMs - waitedMs });
}

/** A change: refused while the database is down, otherwise limited to `writeTimeoutMs` and ended when it goes down. */
export function writeWithTimeout<Result>(health: Health, work: () => Promise<Result>): Promise<Result> {
  refuseWhileDown(health);
  return withTimeout(work(), { timeoutMs: writeTimeoutMs, health });
}

/** How long a page waits for one small query. A pool that is reconnecting may hold a query for longer. */
const deadlineMs = 1_500;

/** No query is sent for this long after a failure, so that a flood does not pile up queries on a broken pool. */
const shutMs = 1_000;

export type DatabaseGate = ReturnType<typeof createDatabaseGate>;

interface GateOptions {
  /** A monotonic clock in milliseconds. */
  nowMs: () => number;
  health: Pick<DatabaseHealth, 'state'>;
}

/** Guards the queries that a page waits for, so that an outage is noticed once and not by every request. */
export function createDatabaseGate({ nowMs, health }: GateOptions) {
  let shutUntilMs = -Infinity;

  return {
    /**
     * Runs the query. Throws SERVICE_UNAVAILABLE if the database is down or lost, or at the deadline; else rethrows.
     */
    async ask<T>(query: () => Promise<T>): Promise<T> {
      if (nowMs() < shutUntilMs || health.state() === 'down') throw unavailable();
      try {
        return await withTimeout(query(), { timeoutMs: deadlineMs });
      } catch (error) {
        const known = toAppError(error);
        if (known.code !== 'SERVICE_UNAVAILABLE') throw error;
        shutUntilMs = nowMs() + shutMs;
        throw known;
      }
    },
  };
}
