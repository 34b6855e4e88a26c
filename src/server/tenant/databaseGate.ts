import type { DatabaseHealth } from '../db/poolWatchdog.ts';
import { withTimeout } from '../db/withTimeout.ts';
import { toAppError, unavailable } from '../errors.ts';

/** How long a page waits for one small query. A pool that is reconnecting may hold a query for longer. */
const deadlineMs = 1_500;

/** No query is sent for this long after a failure, so that a flood does not pile up queries on a broken pool. */
const shutMs = 1_000;

export interface DatabaseGate {
  /**
   * Runs the query. Throws SERVICE_UNAVAILABLE immediately while the database is down, on a lost connection, or at the
   * deadline. Rethrows other errors.
   */
  ask: <T>(query: () => Promise<T>) => Promise<T>;
}

interface GateOptions {
  /** A monotonic clock in milliseconds. */
  nowMs: () => number;
  health: Pick<DatabaseHealth, 'state'>;
}

/** Guards the queries that a page waits for, so that an outage is noticed once and not by every request. */
export function createDatabaseGate({ nowMs, health }: GateOptions): DatabaseGate {
  let shutUntilMs = -Infinity;

  return {
    async ask(query) {
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
