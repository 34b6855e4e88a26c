import { randomUUID } from 'node:crypto';
import { and, eq, gte, inArray, isNull, notExists, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { suppressedReason, type WithdrawalWay } from '#shared/leads/suppression.ts';
import type { Queryable } from '#server/db/connect.ts';
import { consentWithdrawals, deliveries, leads, staffTasks } from '#server/db/schema/index.ts';
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

/** Ends what staff were to decide about leads that nobody may contact any more. */
export async function closeTasks(
  tx: Queryable,
  leadIds: readonly number[],
  { by, now }: { by: string; now: Date },
): Promise<void> {
  if (leadIds.length === 0) return;
  const open = tx
    .select({ id: staffTasks.id })
    .from(staffTasks)
    .where(and(inArray(staffTasks.leadId, [...leadIds]), isNull(staffTasks.doneAt)))
    .orderBy(staffTasks.id)
    .for('update');
  await tx.update(staffTasks).set({ doneAt: now, doneBy: by }).where(inArray(staffTasks.id, open));
}

/** As the leads are now; a purged one has no provider that is known. */
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
  /** Earlier withdrawals don't count: the suppression they led to was lifted. Left out, every one counts. */
  since?: Date;
}

/** Records, once for each lead, that its consent was withdrawn, in the caller's transaction. */
export async function recordWithdrawals(
  tx: Queryable,
  leadIds: readonly number[],
  { how, by, ip, now, since }: Withdrawal,
): Promise<void> {
  if (leadIds.length === 0) return;
  const done = await tx
    .select({ leadId: consentWithdrawals.leadId })
    .from(consentWithdrawals)
    .where(
      and(
        inArray(consentWithdrawals.leadId, [...leadIds]),
        since === undefined ? undefined : gte(consentWithdrawals.at, since),
      ),
    );
  const withdrawn = new Set(done.map(({ leadId }) => leadId));
  const left = leadIds.filter((id) => !withdrawn.has(id));
  if (left.length === 0) return;
  await tx.insert(consentWithdrawals).values(left.map((leadId) => ({ leadId, at: now, how, by, ip })));
  await recordRevocations(tx, left);
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
