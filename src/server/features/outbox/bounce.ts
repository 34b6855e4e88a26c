import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries, deliveryAttempts, type DeliveryRow, leads } from '#server/db/schema/index.ts';
import { emailChannels } from './channelRules.ts';
import { changeDeliveries, type DeliveryChange } from './deliveryStates.ts';
import { flagFailedDeliveries, lockLeads } from './leadStatus.ts';
import type { Channels } from './types.ts';

/** The delivery of an email, by its id, which is in the Message-ID. Null for an unknown one. */
export async function findEmailDelivery(db: Queryable, id: string): Promise<DeliveryRow | null> {
  const [row] = await db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.id, id), inArray(deliveries.channel, [...emailChannels])));
  return row ?? null;
}

/** How the reason of a delivery begins whose email bounced. */
export const bouncedStart = 'The email bounced';

interface Bounce {
  delivery: DeliveryRow & { leadId: number };
  /** For staff, without contact details. */
  reason: string;
  /** What becomes of it: it fails, is held or is sent again. */
  next: DeliveryChange;
  now: Date;
  onLeadFailure: Channels['onLeadFailure'];
}

/**
 * Records that a delivered email bounced: in its latest attempt, its state, the lead's flag and an event. What is sent
 * later has another Message-ID. Returns false if it isn't delivered: a second bounce changes nothing.
 */
export async function recordBounce(
  tx: Queryable,
  { delivery, reason, next, now, onLeadFailure }: Bounce,
): Promise<boolean> {
  const [lead] = await lockLeads(tx, eq(leads.id, delivery.leadId));
  if (lead === undefined) return false;
  const { bounces } = deliveries;
  // A lead that has another provider since isn't sent to this one.
  const isElsewhere = delivery.template === 'lead' && lead.providerId !== delivery.providerId;
  const change: DeliveryChange = isElsewhere ? { state: 'failed', reason, finishedAt: now } : next;
  const isSameEmail = eq(bounces, delivery.bounces);
  const where = and(eq(deliveries.id, delivery.id), eq(deliveries.state, 'delivered'), isSameEmail);
  const changed = await changeDeliveries(tx, where, { ...change, set: { bounces: sql`${bounces} + 1` } });
  if (changed.length === 0) return false;
  const latest = tx
    .select({ id: deliveryAttempts.id })
    .from(deliveryAttempts)
    .where(eq(deliveryAttempts.deliveryId, delivery.id))
    .orderBy(desc(deliveryAttempts.id))
    .limit(1);
  await tx
    .update(deliveryAttempts)
    .set({ outcome: 'failed', reason })
    .where(inArray(deliveryAttempts.id, latest));
  if (change.state === 'failed') await onLeadFailure(tx, lead, delivery);
  await flagFailedDeliveries(tx, [lead.id]);
  return true;
}
