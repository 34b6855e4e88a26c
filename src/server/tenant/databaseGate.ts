import { toAppError, unavailable } from '../errors.ts';

/** How long a page waits for the directory's one small query; a pool that is reconnecting may hold a query for longer. */
const deadlineMs = 3_000;

/** After a failure nobody asks for this long: a flood must not pile queries onto a pool that can't run them. */
const shutMs = 1_000;

export interface DatabaseGate {
  /** Runs the query, or throws SERVICE_UNAVAILABLE at once, on a lost connection, or at the deadline. Other errors pass as they are. */
  ask: <T>(query: () => Promise<T>) => Promise<T>;
}

/** Stands before the queries a page waits for, so that a database that is away is noticed once, not by every request. */
export function createDatabaseGate(nowMs: () => number): DatabaseGate {
  let shutUntilMs = -Infinity;

  return {
    async ask(query) {
      if (nowMs() < shutUntilMs) throw unavailable();
      const { promise: deadline, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => reject(unavailable()), deadlineMs);
      try {
        return await Promise.race([query(), deadline]);
      } catch (error) {
        const known = toAppError(error);
        if (known.code !== 'SERVICE_UNAVAILABLE') throw error;
        shutUntilMs = nowMs() + shutMs;
        throw known;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
