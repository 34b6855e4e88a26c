import { setTimeout as delay } from 'node:timers/promises';
import { startFaultOf } from './startFault.ts';
import type { Log } from '../log.ts';

const firstDelayMs = 250;
const delayMaxMs = 5_000;
const logEveryMs = 60_000;
/** A longer attempt may be waiting for a silent server or for another process's migration. */
const patienceMs = 1_000;

interface UntilReachable {
  url: string;
  log: Log;
  /** Ends the wait; the promise then rejects with its reason. */
  signal: AbortSignal;
  /** Called after each transient failure, and when an attempt has taken a second. A rejection ends the wait. */
  onWaiting: () => Promise<void>;
}

/**
 * Retries until it succeeds, with a pause of a quarter of a second to five seconds after each transient failure
 * (Postgres is not there yet, starts, or is busy). Throws StartFault for a permanent one.
 */
export async function untilReachable<Result>(
  attempt: () => Promise<Result>,
  options: UntilReachable,
): Promise<Result> {
  const failed = Promise.withResolvers<never>();
  const timer = setTimeout(() => void options.onWaiting().catch(failed.reject), patienceMs);
  try {
    return await Promise.race([tryAgainAndAgain(attempt, options), failed.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function tryAgainAndAgain<Result>(
  attempt: () => Promise<Result>,
  { url, log, signal, onWaiting }: UntilReachable,
): Promise<Result> {
  let loggedAtMs = -Infinity;
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      const fault = startFaultOf(error, url);
      if (fault.permanent) throw fault;
      if (performance.now() - loggedAtMs > logEveryMs) {
        log.warn({ event: 'database.unreachable' }, `${fault.message} Trying again until it works.`);
        loggedAtMs = performance.now();
      }
      await onWaiting();
      const delayMs = Math.min(delayMaxMs, firstDelayMs * 2 ** failures);
      await delay(delayMs * (0.75 + Math.random() / 4), undefined, { signal });
    }
  }
}
