import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { leads } from '#server/db/schema/index.ts';

/**
 * Sets `leads.delivery_failed`: a delivery of the lead failed, and no later one of the same channel exists. To be called in
 * the transaction that changed the lead's deliveries.
 */
export async function flagFailedDeliveries(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  if (leadIds.length === 0) return;
  // In a statement of its own: the next one then sees what the last holder of the lock committed.
  await tx
    .select({ id: leads.id })
    .from(leads)
    .where(inArray(leads.id, [...leadIds]))
    .orderBy(asc(leads.id))
    .for('no key update');
  await recompute(tx, leadIds);
}

/** The same after a change that can only clear the flag, which most leads don't have: new deliveries, retries. */
export async function clearFailureFlags(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  if (leadIds.length === 0) return;
  const flagged = await tx
    .select({ id: leads.id })
    .from(leads)
    .where(and(inArray(leads.id, [...leadIds]), eq(leads.deliveryFailed, true)))
    .orderBy(asc(leads.id))
    .for('no key update');
  if (flagged.length > 0)
    await recompute(
      tx,
      flagged.map(({ id }) => id),
    );
}

async function recompute(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  const hasFailed = sql`exists (
    select from deliveries failed
    where failed.lead_id = ${leads.id} and failed.state = 'failed' and not exists (
      select from deliveries later
      where later.lead_id = failed.lead_id and later.channel = failed.channel and later.created_at > failed.created_at))`;
  await tx
    .update(leads)
    .set({ deliveryFailed: sql`not ${leads.deliveryFailed}` })
    .where(and(inArray(leads.id, [...leadIds]), sql`${leads.deliveryFailed} is distinct from ${hasFailed}`));
}
