import { randomUUID } from 'node:crypto';
import { and, eq, gte, inArray, notExists, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { suppressedReason, type WithdrawalWay } from '#shared/leads/suppression.ts';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries, leads } from '#server/db/schema/index.ts';
import { insertWithdrawals } from '../consent/consentWithdrawals.ts';
import { consentRevoked } from '../leads/leadEvents.ts';
import { enqueueDeliveries } from '../outbox/enqueueDeliveries.ts';
import { recordEvents } from '../webhooks/recordEvents.ts';

/** Cancels what is still to be sent about these leads, but for what tells a clinic of a withdrawal. */
export async function cancelDeliveries(tx: Queryable, leadIds: readonly number[], now: Date): Promise<void> {
  if (leadIds.length === 0) return;
  // Locked in one order, or two that cancel the same rows could wait for each other.
  const open = await tx
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(
      and(
        inArray(deliveries.leadId, [...leadIds]),
        inArray(deliveries.state, ['queued', 'held']),
        eq(deliveries.template, 'lead'),
      ),
    )
    .orderBy(deliveries.id)
    .for('update');
  if (open.length === 0) return;
  await tx
    .update(deliveries)
    .set({ state: 'cancelled', reason: suppressedReason, nextAttemptAt: null, finishedAt: now })
    .where(
      inArray(
        deliveries.id,
        open.map(({ id }) => id),
      ),
    );
}

/** Records the events, with the leads' current providers; a purged lead has none. */
async function recordRevocations(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  const rows = await tx
    .select({ id: leads.id, providerId: leads.providerId, quarantinedAt: leads.quarantinedAt })
    .from(leads)
    .where(inArray(leads.id, [...leadIds]));
  const known = new Map(rows.map((lead) => [lead.id, lead]));
  await recordEvents(
    tx,
    leadIds.flatMap((id) => consentRevoked(known.get(id) ?? { id, providerId: null, quarantinedAt: null })),
  );
}

interface Withdrawal {
  how: WithdrawalWay;
  by: string;
  ip: string | null;
  now: Date;
  /** Earlier withdrawals don't count: the suppression that they led to was lifted. Without it, each one counts. */
  since?: Date;
}

/** Records that the consents of these leads were withdrawn, once for each lead, with the events. */
export async function recordWithdrawals(
  tx: Queryable,
  leadIds: readonly number[],
  { how, by, ip, now, since }: Withdrawal,
): Promise<void> {
  const left = await insertWithdrawals(tx, leadIds, { how, by, ip, at: now, since });
  if (left.length > 0) await recordRevocations(tx, left);
}

/**
 * Queues a message to each clinic that was told of one of these leads, or may have been (a try that got no answer), about the latest of them.
 * Clinics that were told of the withdrawal since then are passed over. Returns the new deliveries' ids.
 */
export async function tellProviders(
  tx: Queryable,
  leadIds: readonly number[],
  { now, since }: { now: Date; since: Date },
): Promise<string[]> {
  if (leadIds.length === 0) return [];
  const told = alias(deliveries, 'told');
  const toTell = await tx
    .selectDistinctOn([deliveries.providerId], {
      providerId: deliveries.providerId,
      leadId: deliveries.leadId,
    })
    .from(deliveries)
    .where(
      and(
        inArray(deliveries.leadId, [...leadIds]),
        inArray(deliveries.channel, ['provider-email', 'crm']),
        eq(deliveries.template, 'lead'),
        sql`${deliveries.providerId} is not null`,
        or(eq(deliveries.state, 'delivered'), sql`${deliveries.attempts} > 0`),
        notExists(
          tx
            .select({ one: sql`1` })
            .from(told)
            .where(
              and(
                inArray(told.leadId, [...leadIds]),
                eq(told.template, 'withdrawn'),
                eq(told.providerId, deliveries.providerId),
                gte(told.createdAt, since),
              ),
            ),
        ),
      ),
    )
    .orderBy(deliveries.providerId, sql`${deliveries.leadId} desc`);
  if (toTell.length === 0) return [];
  const rows = toTell.map(({ providerId, leadId }) => ({
    id: randomUUID(),
    leadId,
    channel: 'provider-email' as const,
    template: 'withdrawn' as const,
    providerId,
    nextAttemptAt: now,
    createdAt: now,
  }));
  await enqueueDeliveries(tx, rows);
  return rows.map(({ id }) => id);
}
