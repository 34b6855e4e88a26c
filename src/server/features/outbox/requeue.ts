import { and, eq, gt, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { suppressedReason } from '#shared/leads/suppression.ts';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries, leads } from '#server/db/schema/index.ts';
import { changeDeliveries, type ChangedDelivery, queueAt } from './deliveryStates.ts';
import { leaseEnd } from './lease.ts';
import { clearFailureFlags, lockLeads, updateCrmStatus } from './leadStatus.ts';
import { isLeadSuppressed } from '../suppression/suppressions.ts';

interface Requeue {
  now: Date;
  /** Of `dataKeys.current('identity')`: suppressions are stored as hashes under it. */
  identityKey: Buffer;
}

/**
 * Queues deliveries of leads now, with a new retry schedule: those queued, failed or held, and those cancelled for a
 * suppression that was lifted since. Skips those with an attempt in progress. Returns their ids.
 */
export async function requeue(
  tx: Queryable,
  ids: readonly string[],
  { now, identityKey }: Requeue,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const leadIds = await lockLeadsByDelivery(tx, ids);
  const isSuppressed = isLeadSuppressed(identityKey);
  const mayBeContacted = sql`exists (select from ${leads} where ${leads.id} = ${deliveries.leadId} and not ${isSuppressed})`;
  const wasCancelled = and(eq(deliveries.state, 'cancelled'), eq(deliveries.reason, suppressedReason));
  const wasLifted = and(wasCancelled, mayBeContacted);
  const isRetryable = or(inArray(deliveries.state, ['queued', 'failed', 'held']), wasLifted);
  const queued = await startRound(tx, and(inArray(deliveries.id, [...ids]), isRetryable), now);
  await clearFailureFlags(tx, leadIds);
  const crmLeadIds = queued.flatMap(({ channel, leadId }) => (channel === 'crm' ? (leadId ?? []) : []));
  await updateCrmStatus(tx, crmLeadIds);
  return queued.map(({ id }) => id).toSorted();
}

/** Locks the leads of deliveries: before their deliveries, as everywhere. */
export async function lockLeadsByDelivery(tx: Queryable, ids: readonly string[]): Promise<number[]> {
  const requested = tx
    .select({ leadId: deliveries.leadId })
    .from(deliveries)
    .where(inArray(deliveries.id, [...ids]));
  const locked = await lockLeads(tx, inArray(leads.id, requested));
  return locked.map(({ id }) => id);
}

/** Starts a new round of attempts for matching deliveries, except those with an attempt in progress. */
export function startRound(tx: Queryable, condition: SQL | undefined, now: Date): Promise<ChangedDelivery[]> {
  const isIdle = or(isNull(deliveries.leasedUntil), lte(deliveries.leasedUntil, now));
  const attemptsBeforeRound = sql`${deliveries.attempts}`;
  const set = { leasedUntil: null, attemptsBeforeRound, ignoresUnreachable: true };
  return changeDeliveries(tx, and(condition, isIdle), { ...queueAt(now), set });
}

/**
 * Queues what was cancelled for a reason that no longer holds. An attempt that is still in progress records its result;
 * its delivery is due only when a lease that starts now would end.
 */
export async function requeueCancelled(
  tx: Queryable,
  leadIds: readonly number[],
  { reason, now }: { reason: string; now: Date },
): Promise<void> {
  if (leadIds.length === 0) return;
  const { state, leasedUntil } = deliveries;
  const wasCancelled = and(
    inArray(deliveries.leadId, [...leadIds]),
    eq(state, 'cancelled'),
    eq(deliveries.reason, reason),
  );
  const isIdle = or(isNull(leasedUntil), lte(leasedUntil, now));
  await changeDeliveries(tx, and(wasCancelled, isIdle), queueAt(now));
  await changeDeliveries(tx, and(wasCancelled, gt(leasedUntil, now)), queueAt(leaseEnd(now)));
}
