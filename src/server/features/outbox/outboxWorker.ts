import { setTimeout as delay } from 'node:timers/promises';
import { withPreparedStatements } from '#server/db/preparedStatements.ts';
import type { Services } from '#server/services.ts';
import { createAttemptRecorder } from './recordAttempt.ts';
import { allocateSlots, reduceSlots } from './allocateSlots.ts';
import { listPausedQueues, takeProbe } from './refused/channelRefusals.ts';
import { attemptDelivery, type DeliveryServices, startAttempts } from './attemptDelivery.ts';
import { isEndpointQueue, type Lease, leaseDue, listDueQueues, releaseLease } from './lease.ts';
import type { Subject } from './subject.ts';

/** How long a delivery that another process enqueued waits at most, plus or minus a quarter. */
const usualPollMs = 1_000;
const jitter = 0.25;
/** While the worker yields, it leases no more often. */
const yieldingPollMs = 250;
/** After an error, the worker waits this long. */
const afterErrorMs = 1_000;
/** While rounds fail, such as during an outage of Postgres, the log gets a line no more often. */
const logAgainMs = 60_000;

export interface OutboxWorker {
  /** Stops leasing, waits this long for the attempts in progress, then interrupts them: they are due again now. */
  stop: (graceMs: number) => Promise<void>;
}

interface WorkerOptions {
  pollMs?: number;
  /** For one attempt; tests set less. */
  limitMs?: number;
  /** Whether other work of this process has priority now. By default never. */
  mustYield?: () => boolean;
  /** Called after each time it leased, or failed to. */
  onRound?: () => void;
}

/** Delivers what is due. Any number of processes share the work. Slows down while other work has priority. */
export function startOutboxWorker(
  services: DeliveryServices & Pick<Services, 'wakeSignal'>,
  { pollMs = usualPollMs, mustYield = () => false, onRound, ...options }: WorkerOptions = {},
): OutboxWorker {
  const { db, log, now, wakeSignal } = services;
  const prepared = withPreparedStatements(db);
  const record = createAttemptRecorder(db);
  const stopping = new AbortController();
  const interrupting = new AbortController();
  /** Attempts in progress, with their queue. */
  const inProgress = new Map<Promise<void>, string>();
  /** Endpoints whose latest attempt timed out. */
  const slow = new Set<string>();
  /** Queues with at least as many due deliveries as free slots: they are polled again as soon as a slot is free. */
  let full = new Set<string>();
  let woken = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  /** Leases whose rows could not be read: released when the database responds again. */
  let unused: Lease[] = [];

  async function releaseUnused(): Promise<void> {
    const leases = unused;
    unused = [];
    try {
      for (const lease of leases)
        await releaseLease(db, lease, { state: 'queued', reason: null, nextAttemptAt: now() });
    } catch (error) {
      // Leases that were already released are released again without effect.
      unused = leases;
      throw error;
    }
  }

  async function attempt(lease: Lease, subject: Subject): Promise<void> {
    const { queue, id } = lease;
    try {
      const { result } = await attemptDelivery(
        services,
        { lease, subject },
        { stopping: interrupting.signal, record, ...options },
      );
      if (result?.outcome === 'failed' && result.isTimeout === true) slow.add(queue);
      else slow.delete(queue);
    } catch (error) {
      // The lease expires.
      log.warn(
        { event: 'delivery.unrecorded', err: error, deliveryId: id },
        'an attempt was not recorded; its delivery is due again later',
      );
    }
  }

  function start(lease: Lease, subject: Subject): void {
    const { queue } = lease;
    unused = unused.filter((other) => other !== lease);
    const running = attempt(lease, subject).finally(() => {
      inProgress.delete(running);
      if (full.has(queue)) woken.resolve();
    });
    inProgress.set(running, queue);
  }

  async function leaseAll(): Promise<void> {
    if (unused.length > 0) await releaseUnused();
    const due = await listDueQueues(prepared, now());
    const busy = new Map<string, number>();
    for (const queue of inProgress.values()) busy.set(queue, (busy.get(queue) ?? 0) + 1);
    const all = allocateSlots({ due, busy, slow });
    const slots = mustYield() ? reduceSlots(all, busy) : all;
    full = new Set(due);
    const paused = due.some((queue) => !isEndpointQueue(queue)) ? await listPausedQueues(prepared) : [];
    for (const queue of paused) {
      full.delete(queue);
      if (slots.has(queue) && (await takeProbe(prepared, queue, now()))) slots.set(queue, 1);
      else slots.delete(queue);
    }
    if (slots.size === 0 || stopping.signal.aborted) return;
    // Loaded first: without the key, no lease could be used.
    await services.dataKeys.current('identity');
    const leases = await leaseDue(prepared, { slots, now: now() });
    const leased = new Map<string, number>();
    for (const { queue } of leases) leased.set(queue, (leased.get(queue) ?? 0) + 1);
    for (const [queue, count] of slots) if ((leased.get(queue) ?? 0) < count) full.delete(queue);
    unused = leases;
    await startAttempts({ ...services, db: prepared }, leases, start);
    unused = [];
  }

  async function run(): Promise<void> {
    let loggedAtMs = -Infinity;
    while (!stopping.signal.aborted) {
      woken = Promise.withResolvers();
      let pauseMs = pollMs * (1 + jitter * (2 * Math.random() - 1));
      let hasFailed = false;
      try {
        await leaseAll();
        loggedAtMs = -Infinity;
      } catch (error) {
        if (performance.now() - loggedAtMs >= logAgainMs) {
          log.warn(
            { event: 'delivery.lease-failed', err: error },
            'deliveries could not be leased; trying again',
          );
          loggedAtMs = performance.now();
        }
        hasFailed = true;
        pauseMs = Math.max(pauseMs, afterErrorMs);
      }
      onRound?.();
      if (mustYield()) await pause(stopped.promise, hasFailed ? pauseMs : yieldingPollMs);
      else await pause(woken.promise, pauseMs);
    }
  }

  const stopListening = wakeSignal.onWake(() => woken.resolve());
  const running = run();
  return {
    async stop(graceMs) {
      stopListening();
      stopping.abort();
      woken.resolve();
      stopped.resolve();
      await running;
      const ended = Promise.all(inProgress.keys());
      const late = delay(graceMs, 'late', { ref: false });
      if ((await Promise.race([ended, late])) === 'late') interrupting.abort();
      await ended;
    },
  };
}

async function pause(woken: Promise<void>, ms: number): Promise<void> {
  const rest = new AbortController();
  const rested = delay(ms, undefined, { signal: rest.signal, ref: false }).catch(() => undefined);
  await Promise.race([woken, rested]);
  rest.abort();
}
