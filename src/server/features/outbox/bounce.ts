import { and, desc, eq, inArray } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries, deliveryAttempts, type DeliveryRow, leads } from '#server/db/schema/index.ts';
import { emailChannels } from './channelRules.ts';
import { changeDeliveries } from './deliveryStates.ts';
import { flagFailedDeliveries } from './leadStatus.ts';
import type { Channels } from './types.ts';

/** The delivery of an email, by its id, which is in the Message-ID. Null for an unknown one. */
export async function findEmailDelivery(db: Queryable, id: string): Promise<DeliveryRow | null> {
  const [row] = await db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.id, id), inArray(deliveries.channel, [...emailChannels])));
  return row ?? null;
}

interface Bounce {
  delivery: DeliveryRow & { leadId: number };
  /** For staff, without contact details. */
  reason: string;
  now: Date;
  onLeadFailure: Channels['onLeadFailure'];
}

/**
 * Marks a delivered email as failed because it bounced, with its latest attempt, the flag of the lead and the event.
 * Returns false if it isn't delivered: a second bounce changes nothing.
 */
export async function failBounced(
  tx: Queryable,
  { delivery, reason, now, onLeadFailure }: Bounce,
): Promise<boolean> {
  const [lead] = await tx
    .select({
      id: leads.id,
      providerId: leads.providerId,
      quarantinedAt: leads.quarantinedAt,
      erasedAt: leads.erasedAt,
    })
    .from(leads)
    .where(eq(leads.id, delivery.leadId))
    .for('no key update');
  if (lead === undefined) return false;
  const where = and(eq(deliveries.id, delivery.id), eq(deliveries.state, 'delivered'));
  const changed = await changeDeliveries(tx, { state: 'failed', reason, finishedAt: now }, { where });
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
  await onLeadFailure(tx, lead, delivery);
  await flagFailedDeliveries(tx, [lead.id]);
  return true;
}
