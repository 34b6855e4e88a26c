import { and, eq, inArray } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries } from '#server/db/schema/index.ts';

/** Why nothing more of a deleted lead is delivered; restoring the lead looks for it. */
export const leadDeletedReason = 'The lead was deleted.';

/** Why a clinic isn't told of a lead that went to another before it was, and the CRM not of the old clinic. */
export const goneElsewhereReason = 'The lead was given to another provider.';

/** Why deliveries to an endpoint were cancelled. */
export const endpointOffReason = 'The endpoint was switched off.';

/** Calls off what is still to be delivered of leads that staff delete, within that change. What tells a clinic of a withdrawal still goes out. */
export async function cancelForDeleted(tx: Queryable, leadIds: readonly number[], now: Date): Promise<void> {
  await tx
    .update(deliveries)
    .set({ state: 'cancelled', reason: leadDeletedReason, nextAttemptAt: null, finishedAt: now })
    .where(
      and(
        inArray(deliveries.leadId, [...leadIds]),
        inArray(deliveries.state, ['queued', 'held']),
        eq(deliveries.template, 'lead'),
      ),
    );
}

/** Takes up again what a deletion called off. */
export async function resumeRestored(tx: Queryable, leadIds: readonly number[], now: Date): Promise<void> {
  await tx
    .update(deliveries)
    .set({ state: 'queued', reason: null, nextAttemptAt: now, finishedAt: null })
    .where(
      and(
        inArray(deliveries.leadId, [...leadIds]),
        eq(deliveries.state, 'cancelled'),
        eq(deliveries.reason, leadDeletedReason),
      ),
    );
}
