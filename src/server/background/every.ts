import { setTimeout as delay } from 'node:timers/promises';
import { minuteMs } from '#shared/formats/time.ts';
import type { Log } from '../log.ts';
import { maintenanceFailures } from '../metrics.ts';

/** How long a run may take, at least. A purge of a large backlog takes minutes. */
const runMaxMs = 10 * minuteMs;

interface Options {
  log: Log;
  /** Learns of the end of each run. A loop may take three periods and ten minutes for a round. */
  loops?: LoopWatch;
  /** The first run starts now, not after the first period. */
  startNow?: boolean;
}

/** All periodic work of a process goes through this. */
export function createPeriodic({ log, loops: watch, startNow = false }: Options) {
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
    /** Runs the work at this interval. Logs a failed run; one longer than the interval delays the next. */
    every: (name: string, ms: number, work: (signal: AbortSignal) => Promise<unknown>): void => {
      const ended = watch?.add(name, 3 * ms + runMaxMs);
      // So that the first failure is an increase.
      maintenanceFailures.inc({ task: name }, 0);
      const run = async (): Promise<void> => {
        try {
          await work(signal);
        } catch (error) {
          maintenanceFailures.inc({ task: name });
          log.warn(
            { event: 'task.failed', err: error, task: name },
            'periodic work failed; the next run retries',
          );
        }
        ended?.();
      };
      loops.push(loop(ms, run));
    },
    /** Starts no more runs, signals those in progress, and waits for them at most this long. */
    stop: async (maxMs: number): Promise<void> => {
      stopping.abort();
      await Promise.race([Promise.all(loops), delay(maxMs, undefined, { ref: false })]);
    },
  };
}

export type LoopWatch = ReturnType<typeof createLoopWatch>;

/** Knows whether the loops of background work still make rounds, failed or not. `nowMs`: a monotonic clock. */
export function createLoopWatch(nowMs: () => number = () => performance.now()) {
  const loops = new Map<string, { roundMaxMs: number; endedAtMs: number }>();
  return {
    /** Watches a loop that finishes a round within this time. Returns a function to call after each round. */
    add(name: string, roundMaxMs: number): () => void {
      const loop = { roundMaxMs, endedAtMs: nowMs() };
      loops.set(name, loop);
      return () => {
        loop.endedAtMs = nowMs();
      };
    },
    /** The loops that finished no round for longer than they may: they hang. */
    stalled: (): string[] =>
      [...loops].flatMap(([name, { roundMaxMs, endedAtMs }]) =>
        nowMs() - endedAtMs > roundMaxMs ? [name] : [],
      ),
  };
}
