import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log.ts';

export interface Periodic {
  /**
   * Runs the work every so many milliseconds. A run that fails is logged; one that takes longer than the period delays
   * the next.
   */
  every: (name: string, ms: number, work: (signal: AbortSignal) => Promise<unknown>) => void;
  /** Starts no more runs, signals those in progress, and waits for them at most this long. */
  stop: (maxMs: number) => Promise<void>;
}

interface Options {
  log: Log;
  /** The first run starts now, not after the first period. */
  startNow?: boolean;
}

/** All periodic work of a process goes through this. */
export function createPeriodic({ log, startNow = false }: Options): Periodic {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loops: Promise<void>[] = [];

  async function loop(ms: number, run: () => Promise<void>): Promise<void> {
    if (startNow) await run();
    while (!signal.aborted) {
      await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await run();
    }
  }

  return {
    every(name, ms, work) {
      const run = (): Promise<void> =>
        work(signal).then(
          () => undefined,
          (error: unknown) =>
            log.warn(
              { event: 'task.failed', err: error, task: name },
              'periodic work failed; the next run retries',
            ),
        );
      loops.push(loop(ms, run));
    },
    async stop(maxMs) {
      stopping.abort();
      await Promise.race([Promise.all(loops), delay(maxMs, undefined, { ref: false })]);
    },
  };
}
