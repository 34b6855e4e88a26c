import { setTimeout as delay } from 'node:timers/promises';
import type { Job, PgBoss } from 'pg-boss';
import type { Log } from '../log.ts';
import type { QueueName } from './queues.ts';

/** How long a new job of another process waits at most. */
const usualPollMs = 500;
const afterErrorMs = 1_000;

interface LaneOptions<Data> {
  boss: PgBoss;
  queue: QueueName;
  /** Jobs in hand at most. */
  concurrency: number;
  /** Throws what is to be tried again. The signal tells that the process can wait no longer: give back what isn't finished. */
  handle: (data: Data, signal: AbortSignal) => Promise<void>;
  log: Log;
  pollMs?: number;
}

export interface Lane {
  /** Looks for jobs at once. */
  wake: () => void;
  /** Takes no more, waits so long for what is in hand, then has it given back. */
  stop: (graceMs: number) => Promise<void>;
}

/**
 * Works on one queue's jobs, so many at a time, as soon as there are any. pg-boss's own worker takes no new batch until the slowest of the last
 * is done, or one job in half a second.
 */
export function startLane<Data>({
  boss,
  queue,
  concurrency,
  handle,
  log,
  pollMs = usualPollMs,
}: LaneOptions<Data>): Lane {
  const hurrying = new AbortController();
  const inHand = new Set<Promise<void>>();
  const stopping = new AbortController();
  /** Whether the last look found as many as there were hands for. */
  let mayBeMore = false;
  let waking = Promise.withResolvers<void>();
  let done: Job<Data>[] = [];
  let clearing: Promise<void> = Promise.resolve();

  function wake(): void {
    waking.resolve();
  }

  function warn(error: unknown, message: string): void {
    log.warn({ err: error, queue }, message);
  }

  async function clearDone(): Promise<void> {
    const jobs = done;
    done = [];
    // One that stays is given out again, and finds that there is nothing to do.
    await boss.deleteJob(queue, jobs).catch((error: unknown) => warn(error, 'finished jobs stay for now'));
  }

  /** Those that end while the last ones are being deleted are deleted together; no hand waits for that. */
  function clear(job: Job<Data>): void {
    done.push(job);
    if (done.length === 1) clearing = clearing.then(clearDone);
  }

  async function work(job: Job<Data>): Promise<void> {
    try {
      await handle(job.data, hurrying.signal);
    } catch (error) {
      warn(error, 'a job failed; it is tried again');
      await boss.fail(queue, job).catch((again: unknown) => warn(again, 'a failed job stays for now'));
      return;
    }
    clear(job);
  }

  /** Takes as many as there are hands for. */
  async function take(): Promise<void> {
    const free = concurrency - inHand.size;
    if (free === 0) return;
    mayBeMore = false;
    const jobs = await boss.fetch<Data>(queue, { batchSize: free });
    for (const job of jobs) {
      const working = work(job).finally(() => {
        inHand.delete(working);
        if (mayBeMore) wake();
      });
      inHand.add(working);
    }
    mayBeMore = jobs.length === free;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      waking = Promise.withResolvers();
      let pauseMs = pollMs;
      try {
        await take();
      } catch (error) {
        warn(error, 'no jobs can be had; trying again');
        pauseMs = afterErrorMs;
      }
      if (!mayBeMore || inHand.size === concurrency) await pause(waking.promise, pauseMs);
    }
  }

  const running = run();
  return {
    wake,
    async stop(graceMs) {
      stopping.abort();
      wake();
      await running;
      const over = Promise.all(inHand);
      const late = delay(graceMs, 'late', { ref: false });
      if ((await Promise.race([over, late])) === 'late') hurrying.abort();
      await over;
      await clearing;
    },
  };
}

async function pause(woken: Promise<void>, ms: number): Promise<void> {
  const rest = new AbortController();
  const rested = delay(ms, undefined, { signal: rest.signal }).catch(() => undefined);
  await Promise.race([woken, rested]);
  rest.abort();
}
