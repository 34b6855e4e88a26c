import { startEventSender } from './features/events/eventSender.ts';
import { startRematching } from './features/outcomes/rematching.ts';
import { startBoss } from './jobs/boss.ts';
import { type Schedule, startSchedules } from './jobs/schedules.ts';
import type { BaseServices } from './services.ts';

/** How long a worker that is to stop waits for what it has in hand before it gives it back. */
const graceMs = 8_000;

/** What comes again by the clock, over all processes together. */
function schedulesOf(_services: BaseServices): Schedule[] {
  return [];
}

/** Starts the background work: what is queued or scheduled, and messages to integrators' endpoints. Returns a function that stops it: what is in hand is finished or given back. */
export async function startWorker(services: BaseServices): Promise<() => Promise<void>> {
  const { db, log } = services;
  const { boss, stop } = await startBoss({ sql: db.$client, log, works: true });
  const stopSchedules = await startSchedules(boss, schedulesOf(services), log);
  const sender = startEventSender(services);
  const stopRematching = startRematching(services);
  return async () => {
    const sent = sender.stop(graceMs);
    await stopRematching();
    await stop();
    await stopSchedules(graceMs);
    await sent;
  };
}
