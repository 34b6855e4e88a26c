import { setTimeout as delay } from 'node:timers/promises';
import { startFaultOf } from './db/startFault.ts';
import type { Log } from './log.ts';

const firstDelayMs = 250;
const delayMaxMs = 5_000;
const logEveryMs = 60_000;

interface UntilReachable {
  url: string;
  log: Log;
  /** Ends the waiting; the promise then rejects with its reason. */
  signal: AbortSignal;
  /** After each failure that may pass. */
  onWaiting: () => Promise<void>;
}

/**
 * Tries until it works, a pause of a quarter of a second to five seconds after each failure that may pass by itself (Postgres isn't there yet,
 * starts, or is busy). Throws StartFault for one that won't.
 */
export async function untilReachable<Result>(
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
        log.warn(`${fault.message} Trying again until it works.`);
        loggedAtMs = performance.now();
      }
      await onWaiting();
      const delayMs = Math.min(delayMaxMs, firstDelayMs * 2 ** failures);
      await delay(delayMs * (0.75 + Math.random() / 4), undefined, { signal });
    }
  }
}
