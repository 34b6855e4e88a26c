import { setTimeout as delay } from 'node:timers/promises';
import type { Services } from '#server/services.ts';
import { rematchUnmatched } from './rematchUnmatched.ts';
import type { RematchServices } from './returnLead.ts';

/** Asking costs one look into a table that is almost always empty. */
const everyMs = 2_000;

/**
 * Matches unmatched leads again within seconds of a change of clinics, as long as the process lives; any number of processes may. Returns what stops
 * it, once the leads in hand are given.
 */
export function startRematching(services: RematchServices & Pick<Services, 'log'>): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await rematchUnmatched(services, signal).catch((error: unknown) =>
        services.log.warn({ err: error }, 'unmatched leads were not matched again; it is tried again'),
      );
      await delay(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}
