import { randomUUID } from 'node:crypto';
import { and, eq, gt, inArray, isNotNull, max, notExists, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries, type DeliveryInsert, leads } from '#server/db/schema/index.ts';
import { enqueueDeliveries } from '../outbox/enqueueDeliveries.ts';

/** Why what tells of the person isn't sent any more: what staff read beside it. */
const erasedReason = 'The person was erased.';

const tellingChannels = ['provider-email', 'crm'] as const;

/**
 * Queues what makes an erasure travel: for each lead a message to every clinic that was told of it, or may have been (a try that got no answer), and
 * an erasure to every CRM that may have it. They name the lead by its number; a CRM knows its contact by the remote id, which stays until
 * `forgetRemoteIds`. Everything else that is open is cancelled; a try that is under way can't be called back, so that nobody is told before
 * it has ended: its answer may be what names the contact. Returns how many.
 */
export async function notifyErasure(tx: Queryable, leadIds: readonly number[], now: Date): Promise<number> {
  if (leadIds.length === 0) return 0;
  const { leadId, providerId, channel, template, state, attempts, remoteId } = deliveries;
  const nextAttemptAt = await attemptsEndAt(tx, leadIds, now);
  await tx
    .update(deliveries)
    .set({ state: 'cancelled', reason: erasedReason, nextAttemptAt: null, finishedAt: now })
    .where(and(inArray(leadId, [...leadIds]), inArray(state, ['queued', 'held'])));
  const reached = await tx
    .selectDistinct({ leadId, providerId, channel })
    .from(deliveries)
    .where(
      and(
        inArray(leadId, [...leadIds]),
        inArray(channel, [...tellingChannels]),
        eq(template, 'lead'),
        or(eq(state, 'delivered'), sql`${attempts} > 0`, isNotNull(remoteId)),
      ),
    );
  const erasures = new Map<string, DeliveryInsert>();
  for (const to of reached) {
    // A clinic whose CRM has the lead knows of it as well as one that had an e-mail.
    const channels = to.channel === 'crm' && to.providerId !== null ? tellingChannels : [to.channel];
    for (const through of channels) {
      const erasure = { ...to, channel: through, template: 'erased' as const, nextAttemptAt };
      erasures.set(`${to.leadId} ${to.providerId} ${through}`, { id: randomUUID(), ...erasure });
    }
  }
  await enqueueDeliveries(tx, [...erasures.values()]);
  return erasures.size;
}

/** When the last try that is under way about these leads is over, or given up; now, if there is none. */
async function attemptsEndAt(tx: Queryable, leadIds: readonly number[], now: Date): Promise<Date> {
  const [row] = await tx
    .select({ at: max(deliveries.leasedUntil) })
    .from(deliveries)
    .where(and(inArray(deliveries.leadId, [...leadIds]), gt(deliveries.leasedUntil, now)));
  return row?.at ?? now;
}

/**
 * Drops what far sides call an erased person's records, the last that could lead to them, once no erasure needs it: e-mails' at once, a CRM's when
 * the erasure was delivered. One that failed keeps it, as staff may have it tried again. Safe in any number of processes.
 */
export async function forgetRemoteIds(db: Queryable): Promise<void> {
  const telling = alias(deliveries, 'telling');
  await db
    .update(deliveries)
    .set({ remoteId: null })
    .where(
      and(
        isNotNull(deliveries.remoteId),
        inArray(deliveries.leadId, db.select({ id: leads.id }).from(leads).where(isNotNull(leads.erasedAt))),
        or(
          sql`${deliveries.channel} <> 'crm'`,
          notExists(
            db
              .select({ one: sql`1` })
              .from(telling)
              .where(
                and(
                  eq(telling.leadId, deliveries.leadId),
                  eq(telling.channel, 'crm'),
                  eq(telling.template, 'erased'),
                  inArray(telling.state, ['queued', 'held', 'failed']),
                ),
              ),
          ),
        ),
      ),
    );
}
