import { setTimeout as delay } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { deliveries, type DeliveryRow } from '#server/db/schema/index.ts';
import { attemptDelivery, type DeliveryServices, startAttempts } from './attemptDelivery.ts';
import { leaseForRetry } from './lease.ts';
import type { Subject } from './subject.ts';

/** The state of a delivery after a retry, with its reason. */
export type RetryOutcome = Pick<DeliveryRow, 'state' | 'reason'>;

/** A web process that stops waits for its responses, so nothing interrupts the attempt. */
const never = new AbortController().signal;
const pollMs = 100;

async function findState(
  db: Database,
  id: string,
): Promise<Pick<DeliveryRow, 'state' | 'reason' | 'leasedUntil'> | null> {
  const { state, reason, leasedUntil } = deliveries;
  const [row] = await db.select({ state, reason, leasedUntil }).from(deliveries).where(eq(deliveries.id, id));
  return row ?? null;
}

const deletedOutcome: RetryOutcome = { state: 'cancelled', reason: 'The lead is gone.' };

/**
 * Makes one attempt of a delivery now, with its usual key and time limit, and returns the outcome. While another
 * attempt is in progress, waits for it and returns its outcome; `onWait` is called when that wait starts. A cancelled
 * delivery stays cancelled.
 */
export async function retryNow(
  services: DeliveryServices,
  id: string,
  onWait: () => void = () => {},
): Promise<RetryOutcome> {
  const { db, dataKeys, now } = services;
  for (;;) {
    // Loaded first: without the key, the lease could not be used.
    await dataKeys.current('identity');
    const lease = await leaseForRetry(db, id, now());
    if (lease !== null) {
      const subjects: Subject[] = [];
      await startAttempts(services, [lease], (_, subject) => subjects.push(subject));
      const [subject] = subjects;
      if (subject === undefined) return deletedOutcome;
      return attemptDelivery(services, { lease, subject }, { stopping: never });
    }
    const outcome = await waitForOthers(services, id, onWait);
    if (outcome !== null) return outcome;
  }
}

/** Null if the other lease was released without an attempt: the delivery can be leased now. */
async function waitForOthers(
  { db, now }: DeliveryServices,
  id: string,
  onWait: () => void,
): Promise<RetryOutcome | null> {
  for (let polls = 0; ; polls += 1) {
    const found = await findState(db, id);
    if (found === null) return deletedOutcome;
    const { state, reason, leasedUntil } = found;
    if (leasedUntil === null) return { state, reason };
    if (leasedUntil <= now()) return null;
    if (polls === 0) onWait();
    await delay(pollMs);
  }
}
