import { releaseOverLimit } from '../features/leads/releaseOverLimit.ts';
import { deliverOne } from '../features/outbox/deliverOne.ts';
import { mendQueue } from '../features/outbox/recoverDeliveries.ts';
import { startEventSender } from '../features/webhooks/webhookSender.ts';
import { startRematching } from '../features/outcomes/rematching.ts';
import { runScheduledSync } from '../features/sync/wordpressRun.ts';
import { startBoss } from './boss.ts';
import { startLane } from './lane.ts';
import { queueNames } from './queues.ts';
import { type Schedule, startSchedules } from './schedules.ts';
import type { BaseServices } from '../createServices.ts';

/** How long a worker that is to stop waits for what it has in hand before it gives it back. */
const graceMs = 6_000;
const mendEveryMs = 15_000;
const releaseEveryMs = 5_000;
/** Tries of one channel at a time, in each process. */
export const concurrency = 24;

/** What comes again by the clock, over all processes together. */
function schedulesOf(services: BaseServices): Schedule[] {
  return [
    {
      name: 'sync-incremental',
      cron: '*/15 * * * *',
      run: (signal) => runScheduledSync(services, 'incremental', signal),
    },
    // Before dawn in the United States.
    { name: 'sync-full', cron: '10 8 * * *', run: (signal) => runScheduledSync(services, 'full', signal) },
  ];
}

/**
 * Starts the background work: what is queued or scheduled, messages to integrators' endpoints, leads to be matched again or released. Returns a function that stops
 * it: what is in hand is finished within six seconds, or given back for another process to begin anew. `pollMs`: how long a job
 * of another process waits at most.
 */
export async function startWorker(
  services: BaseServices,
  { pollMs }: { pollMs?: number } = {},
): Promise<() => Promise<void>> {
  const { db, log, jobs } = services;
  const { boss, stop } = await startBoss({ sql: db.$client, log, works: true });
  const lanes = new Map(
    queueNames.map((queue) => [
      queue,
      startLane<{ id: string }>({
        boss,
        queue,
        concurrency,
        log,
        ...(pollMs === undefined ? {} : { pollMs }),
        handle: ({ id }, stopping) => deliverOne(services, id, stopping),
      }),
    ]),
  );
  const stopHearing = jobs.onWake((queue) => lanes.get(queue)?.wake());
  const stopMending = startMending(services);
  const stopReleasing = startReleasing(services);
  const stopQueued = async (waitMs: number): Promise<void> => {
    stopHearing();
    await stopMending();
    await Promise.all([...lanes.values()].map((lane) => lane.stop(waitMs)));
    await stop();
  };
  const stopSchedules = await startSchedules(boss, schedulesOf(services), log).catch(
    async (error: unknown) => {
      await Promise.all([stopQueued(0), stopReleasing()]);
      throw error;
    },
  );
  const sender = startEventSender(services);
  const stopRematching = startRematching(services);
  return async () => {
    const sent = sender.stop(graceMs);
    const rematched = stopRematching();
    const released = stopReleasing();
    const until = performance.now() + graceMs;
    await stopQueued(graceMs);
    await stopSchedules(Math.max(1_000, until - performance.now()));
    await Promise.all([rematched, released, sent]);
  };
}

/** At once and then every quarter of a minute. */
function startMending({ db, channels, log, now }: BaseServices): () => Promise<void> {
  let running = Promise.resolve();
  const mend = (): void => {
    running = running
      .then(async () => void (await mendQueue(db, channels, now())))
      .catch((error: unknown) =>
        log.warn({ err: error }, 'the queue could not be looked through; it will be again'),
      );
  };
  mend();
  const timer = setInterval(mend, mendEveryMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/** Releases leads above the limit every five seconds. */
function startReleasing(services: BaseServices): () => Promise<void> {
  let running = Promise.resolve();
  let isBusy = false;
  const release = async (): Promise<void> => {
    await releaseOverLimit(services).catch((error: unknown) =>
      services.log.warn({ err: error }, 'leads above the limit were not released; the next run tries again'),
    );
    isBusy = false;
  };
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    running = release();
  }, releaseEveryMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
