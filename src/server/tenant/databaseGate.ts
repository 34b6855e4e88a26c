import type { DatabaseHealth } from '../db/databaseHealth.ts';
import { withTimeout } from '../db/withTimeout.ts';
import { toAppError, unavailable } from '../errors.ts';

/** How long a page waits for one small query; a pool that is reconnecting may hold a query for longer. */
const deadlineMs = 1_500;

/** After a failure nobody asks for this long: a flood must not pile queries onto a pool that can't run them. */
const shutMs = 1_000;

export interface DatabaseGate {
  /** Runs the query, or throws SERVICE_UNAVAILABLE at once, on a lost connection, or at the deadline. Other errors pass as they are. */
  ask: <T>(query: () => Promise<T>) => Promise<T>;
}

interface GateOptions {
  /** Milliseconds of a clock that never goes back. */
  nowMs: () => number;
  health: Pick<DatabaseHealth, 'state'>;
}

/** Stands before the queries a page waits for, so that a database that is away is noticed once, not by every request. */
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
