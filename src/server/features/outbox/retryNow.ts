import { setTimeout as delay } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { deliveries } from '#server/db/schema/index.ts';
import { claimForStaff } from './lease.ts';
import { type Became, type DeliveryServices, makeAttempt } from './deliverOne.ts';

/** Nobody asks a web process to hurry: one that stops waits for the answers it owes. */
const never = new AbortController().signal;
const lookAgainMs = 100;

/** What the log says of a call that makes no try, as somebody else is making one. */
export const waitsForOthers = 'somebody else makes this try; waiting for what comes of it';

async function standingOf(
  db: Database,
  id: string,
): Promise<(Became & { leasedUntil: Date | null }) | null> {
  const [row] = await db
    .select({ state: deliveries.state, reason: deliveries.reason, leasedUntil: deliveries.leasedUntil })
    .from(deliveries)
    .where(eq(deliveries.id, id));
  return row ?? null;
}

/**
 * One try of a delivery at once, with its usual key and time limit, and what came of it. While somebody else makes one, waits for that and tells
 * the same. A delivery that was called off stays so.
 */
export async function tryNow(services: DeliveryServices, id: string): Promise<Became> {
  const { now } = services;
  for (;;) {
    const claimed = await claimForStaff(services, id, now());
    if (claimed !== null) return makeAttempt(services, claimed, never);
    const others = await waitForOthers(services, id);
    if (others !== null) return others;
  }
}

/** Null when whoever had it let it go untried: it can be claimed now. */
async function waitForOthers({ db, log, now }: DeliveryServices, id: string): Promise<Became | null> {
  for (let looks = 0; ; looks += 1) {
    const found = await standingOf(db, id);
    if (found === null) return { state: 'cancelled', reason: 'The lead is gone.' };
    const { state, reason, leasedUntil } = found;
    if (leasedUntil === null) return { state, reason };
    if (leasedUntil <= now()) return null;
    if (looks === 0) log.debug({ deliveryId: id }, waitsForOthers);
    await delay(lookAgainMs);
  }
}
