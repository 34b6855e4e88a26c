import { and, eq, inArray, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries } from '#server/db/schema/index.ts';
import { channelsTo } from './channelRules.ts';
import { changeDeliveries } from './deliveryStates.ts';
import { clearFailureFlags } from './leadStatus.ts';

/** Why a deleted lead is not delivered. Restoring the lead finds its deliveries by it. */
export const leadDeletedReason = 'The lead was deleted.';

/** Why a lead is not delivered whose person withdrew this one request, or never agreed. */
export const noConsentReason = 'The person has not agreed to be contacted, or withdrew this request.';

export const assignedElsewhereReason = 'The lead was given to another provider.';

export const endpointOffReason = 'The endpoint was switched off.';

export const erasedReason = 'The person was erased.';

const isUnfinished = inArray(deliveries.state, ['queued', 'held']);

interface Cancellation {
  /** A sentence for staff. */
  reason: string;
  now: Date;
  /** Also notices of a withdrawal or an erasure, which are otherwise sent. */
  withNotices?: boolean;
}

/** Cancels the queued and held deliveries of leads. */
export async function cancelLeadDeliveries(
  tx: Queryable,
  leadIds: readonly number[],
  { reason, now, withNotices = false }: Cancellation,
): Promise<void> {
  if (leadIds.length === 0) return;
  const isIncluded = withNotices ? undefined : eq(deliveries.template, 'lead');
  const isOfLeads = inArray(deliveries.leadId, [...leadIds]);
  const change = { state: 'cancelled', reason, finishedAt: now } as const;
  await changeDeliveries(tx, and(isOfLeads, isUnfinished, isIncluded), change);
  await clearFailureFlags(tx, leadIds);
}

interface NewProvider {
  /** Null: the leads have none any more. */
  providerId: number | null;
  now: Date;
  /** The CRM gets the new provider not before this; left out, when it would have got the previous one. */
  notBefore?: Date | undefined;
}

/**
 * Adapts deliveries of leads that move to another provider. Cancels unsent messages to the previous provider, and
 * failed ones, which a retry would send to it. Unsent CRM deliveries get the new provider; returns their leads. A CRM
 * delivery in progress stays as it is: the CRM may have received the previous provider.
 */
export async function moveDeliveries(
  tx: Queryable,
  leadIds: readonly number[],
  { providerId, now, notBefore }: NewProvider,
): Promise<number[]> {
  const { leadId, template, channel, state, leasedUntil } = deliveries;
  const isOfLeads = and(inArray(leadId, [...leadIds]), eq(template, 'lead'));
  const isUnsent = and(inArray(channel, channelsTo('provider')), isUnfinished);
  const hasFailed = and(inArray(channel, channelsTo('provider', 'crm')), eq(state, 'failed'));
  const change = { state: 'cancelled', reason: assignedElsewhereReason, finishedAt: now } as const;
  await changeDeliveries(tx, and(isOfLeads, or(isUnsent, hasFailed)), change);
  const isIdle = or(isNull(leasedUntil), lte(leasedUntil, now));
  const moved = await tx
    .update(deliveries)
    .set({ providerId, ...(notBefore && { nextAttemptAt: postponed(notBefore) }) })
    .where(and(isOfLeads, inArray(channel, channelsTo('crm')), isUnfinished, isIdle))
    .returning({ leadId });
  return moved.flatMap((row) => row.leadId ?? []);
}

/** The time of the next attempt, where there is one, but not before a time. */
function postponed(notBefore: Date): SQL {
  const { nextAttemptAt } = deliveries;
  return sql`case when ${nextAttemptAt} is not null then greatest(${nextAttemptAt}, ${notBefore.toISOString()}::timestamptz) end`;
}

/** Cancels the queued deliveries to an endpoint. */
export async function cancelEndpointDeliveries(tx: Queryable, endpointId: string, now: Date): Promise<void> {
  const isQueued = and(eq(deliveries.queue, endpointId), eq(deliveries.state, 'queued'));
  await changeDeliveries(tx, isQueued, { state: 'cancelled', reason: endpointOffReason, finishedAt: now });
}

/** Deletes the deliveries to an endpoint that was removed, with their attempts. */
export async function deleteEndpointDeliveries(tx: Queryable, endpointId: string): Promise<void> {
  await tx.delete(deliveries).where(eq(deliveries.endpointId, endpointId));
}

/** Deletes the deliveries of events that are purged, with their attempts, except queued ones. */
export async function deleteFinishedOfEvents(tx: Queryable, eventIds: readonly string[]): Promise<void> {
  await tx
    .delete(deliveries)
    .where(and(inArray(deliveries.eventId, [...eventIds]), ne(deliveries.state, 'queued')));
}

const batchSize = 5_000;

/**
 * Deletes a batch of attempts from before a time, oldest first. Keeps those of queued or held deliveries, and the
 * newest of others that weren't delivered: it says why. Safe in any number of processes. Returns how many it deleted.
 */
export async function purgeAttempts(db: Queryable, before: Date): Promise<number> {
  const { count } = await db.execute(sql`
    delete from delivery_attempts where (at, id) in (
      select old.at, old.id from delivery_attempts old join deliveries on deliveries.id = old.delivery_id
      where old.at < ${before.toISOString()}::timestamptz and (
        deliveries.state = 'delivered' or deliveries.state in ('failed', 'cancelled') and exists (
          select from delivery_attempts newer where newer.delivery_id = old.delivery_id and newer.id > old.id))
      order by old.at limit ${batchSize})`);
  return count;
}
