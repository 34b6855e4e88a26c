import { and, asc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { type LeadRow, leads } from '#server/db/schema/index.ts';

/** What changes of leads read of them. No contact details. */
export const lockedColumns = {
  id: leads.id,
  zip5: leads.zip5,
  zipCode: leads.zipCode,
  providerId: leads.providerId,
  matchMethod: leads.matchMethod,
  matchReason: leads.matchReason,
  matchDistanceMiles: leads.matchDistanceMiles,
  outcome: leads.outcome,
  crmSyncStatus: leads.crmSyncStatus,
  quarantinedAt: leads.quarantinedAt,
  quarantineReason: leads.quarantineReason,
  deletedAt: leads.deletedAt,
} as const;
export type LockedLead = Pick<LeadRow, keyof typeof lockedColumns>;

/**
 * Locks leads by ascending id, so that two changes never deadlock. Lock leads before their deliveries. Rows may still
 * refer to the leads, as a withdrawal inserts one while it locks deliveries that a change needs. `update` makes repeats
 * and withdrawals of them wait.
 */
export function lockLeads(
  tx: Queryable,
  condition: SQL | undefined,
  strength: 'no key update' | 'update' = 'no key update',
): Promise<LockedLead[]> {
  return tx.select(lockedColumns).from(leads).where(condition).orderBy(asc(leads.id)).for(strength);
}

// The only writer of `leads.delivery_failed`, `leads.clinic_not_reached` and `leads.crm_sync_status`: they are derived from
// a lead's deliveries, so that lists need no join. Call these functions in the transaction that changed the deliveries.

/**
 * Sets `leads.delivery_failed` (a delivery of the lead failed, and no later one of the same channel exists) and
 * `leads.clinic_not_reached` (the newest email about it to a provider failed, or is held by a refusal).
 */
export async function flagFailedDeliveries(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  if (leadIds.length === 0) return;
  // A statement of its own: the next one then sees what the last owner of the lock committed.
  await lockLeads(tx, inArray(leads.id, [...leadIds]));
  await recompute(tx, leadIds);
}

/** The same after a change that can only clear the flag, which most leads don't have: new deliveries, retries. */
export async function clearFailureFlags(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  if (leadIds.length === 0) return;
  const isFlagged = or(eq(leads.deliveryFailed, true), eq(leads.clinicNotReached, true));
  const flagged = await lockLeads(tx, and(inArray(leads.id, [...leadIds]), isFlagged));
  const ids = flagged.map(({ id }) => id);
  if (ids.length > 0) await recompute(tx, ids);
}

async function recompute(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  const hasFailed = sql`exists (
    select from deliveries failed
    where failed.lead_id = ${leads.id} and failed.state = 'failed' and not exists (
      select from deliveries later
      where later.lead_id = failed.lead_id and later.channel = failed.channel and later.created_at > failed.created_at))`;
  // Without a hold's cause, email isn't configured, and for a mailbox, staff must decide: nothing was refused.
  const isNotReached = sql`coalesce((
    select newest.state = 'failed' or (newest.state = 'held' and newest.hold_cause <> 'mailbox')
    from deliveries newest
    where newest.lead_id = ${leads.id} and newest.channel = 'provider-email' and newest.template = 'lead'
    order by newest.created_at desc, newest.finished_at desc nulls first, newest.id limit 1), false)`;
  await tx
    .update(leads)
    .set({ deliveryFailed: hasFailed, clinicNotReached: isNotReached, updatedAt: sql`now()` })
    .where(
      and(
        inArray(leads.id, [...leadIds]),
        sql`(${leads.deliveryFailed}, ${leads.clinicNotReached}) is distinct from (${hasFailed}, ${isNotReached})`,
      ),
    );
}

/**
 * Sets `leads.crm_sync_status` to that of the newest CRM delivery. A cancelled one leaves it as it is. Of deliveries
 * created at the same time, an unfinished one counts.
 */
export async function updateCrmStatus(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  if (leadIds.length === 0) return;
  await tx.execute(sql`
    update leads set crm_sync_status = newest.status, updated_at = now()
    from (
      select distinct on (lead_id) lead_id, state,
        case state when 'delivered' then 'success' when 'failed' then 'failed' else 'pending' end as status
      from deliveries
      where lead_id = any (${sql.param([...leadIds])}::bigint[]) and channel = 'crm'
      order by lead_id, created_at desc, finished_at desc nulls first, id
    ) as newest
    where leads.id = newest.lead_id and newest.state <> 'cancelled'
      and leads.crm_sync_status is distinct from newest.status`);
}
