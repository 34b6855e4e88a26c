import { and, eq, gt, sql } from 'drizzle-orm';
import type { CrmStatus } from '#shared/admin/adminLeads.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { deliverySeconds } from '#server/metrics.ts';
import {
  deliveries,
  type DeliveryRow,
  deliveryAttempts,
  leads,
  webhookEndpoints,
} from '#server/db/schema/index.ts';
import type { NextState } from './backoff.ts';
import { flagFailedDeliveries } from './leadStatus.ts';
import type { Lease } from './lease.ts';
import { redact } from './redact.ts';
import type { Subject } from './subject.ts';
import type { Channels, DeliveredResult, FailedResult, LockedLead } from './types.ts';

export interface RecordedAttempt {
  lease: Lease;
  subject: Subject;
  result: DeliveredResult | FailedResult;
  next: NextState;
  durationMs: number;
  /** By us: it doesn't count as an attempt of the round. */
  isInterrupted: boolean;
  now: Date;
  /** The channel's effects. */
  afterAttempt: (tx: Queryable) => Promise<void>;
  onLeadFailure: Channels['onLeadFailure'];
}

const crmStatuses: Partial<Record<DeliveryRow['state'], CrmStatus>> = {
  queued: 'pending',
  delivered: 'success',
  failed: 'failed',
};

/** Without a lead: only what looks like contact details is removed. */
const nobody = { firstName: '', lastName: '', email: '', phone: '' };

/**
 * Records an attempt in one transaction: the attempt, the delivery's next state, and the effects on the lead or the endpoint. Rows are locked in the
 * order lead, endpoint, delivery, as everywhere. A lease that has ended changes nothing but the list of attempts. A delivery that was cancelled
 * during the attempt stays cancelled, but keeps the recipient's name for it: an erasure needs it. Once the person is erased no answer is stored.
 */
export async function recordAttempt(db: Database, attempt: RecordedAttempt): Promise<void> {
  const { subject, lease, result, durationMs, isInterrupted } = attempt;
  await db.transaction(async (tx) => {
    const leadId = subject.kind === 'lead' ? subject.lead.id : subject.event.leadId;
    const { endpointId } = subject.delivery;
    // Sent together and run in this order: one round trip.
    const [lead, , [row]] = await Promise.all([
      leadId === null ? undefined : lockLead(tx, leadId),
      endpointId === null ? undefined : lockEndpoint(tx, endpointId),
      tx
        .select({ state: deliveries.state, leasedUntil: deliveries.leasedUntil })
        .from(deliveries)
        .where(eq(deliveries.id, lease.id))
        .for('update'),
    ]);
    if (subject.kind === 'lead' && lead === undefined) return;
    if (row === undefined) return;
    const isOurs = row.leasedUntil?.getTime() === lease.leasedUntil.getTime();
    // Sent together: one round trip.
    await Promise.all([
      insertAttempt(tx, attempt, lead?.erasedAt == null),
      isOurs ? updateDelivery(tx, attempt, row) : undefined,
      isOurs && row.state === 'queued' ? updateCrmStatus(tx, attempt) : undefined,
    ]);
    if (isOurs && row.state === 'queued' && attempt.next.state === 'failed')
      await recordFailure(tx, attempt, lead);
    if (!isInterrupted) await attempt.afterAttempt(tx);
  });
  deliverySeconds.observe({ channel: subject.delivery.channel, outcome: result.outcome }, durationMs / 1000);
}

async function lockLead(tx: Queryable, id: number): Promise<LockedLead | undefined> {
  const { providerId, quarantinedAt, erasedAt } = leads;
  const [lead] = await tx
    .select({ id: leads.id, providerId, quarantinedAt, erasedAt })
    .from(leads)
    .where(eq(leads.id, id))
    .for('no key update');
  return lead;
}

/** A delivery about a lead failed for good: staff see it in the list, integrators get an event. A failed webhook causes no event. */
async function recordFailure(
  tx: Queryable,
  { subject, onLeadFailure }: RecordedAttempt,
  lead: LockedLead | undefined,
): Promise<void> {
  if (subject.kind !== 'lead' || lead === undefined) return;
  await onLeadFailure(tx, lead, subject.delivery);
  await flagFailedDeliveries(tx, [lead.id]);
}

async function lockEndpoint(tx: Queryable, id: string): Promise<void> {
  await tx
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, id))
    .for('no key update');
}

async function insertAttempt(
  tx: Queryable,
  { subject, result, durationMs, now }: RecordedAttempt,
  mayStoreAnswer: boolean,
): Promise<void> {
  const { id, leadId, channel } = subject.delivery;
  const personal = subject.kind === 'lead' ? subject.lead : nobody;
  const answer = !mayStoreAnswer || result.answer === null ? null : redact(result.answer, personal);
  await tx.insert(deliveryAttempts).values({
    ...{ deliveryId: id, leadId, channel, at: now },
    durationMs: Math.round(durationMs),
    outcome: result.outcome,
    status: result.status,
    reason: result.outcome === 'failed' ? result.reason : null,
    answer,
  });
}

async function updateDelivery(
  tx: Queryable,
  { lease, result, next, isInterrupted }: RecordedAttempt,
  { state }: Pick<DeliveryRow, 'state'>,
): Promise<void> {
  const remoteId = result.outcome === 'delivered' ? result.remoteId : undefined;
  await tx
    .update(deliveries)
    .set({
      ...(state === 'queued' ? next : {}),
      ...(remoteId === undefined ? {} : { remoteId }),
      ...(isInterrupted ? { attemptsBeforeRound: sql`${deliveries.attemptsBeforeRound} + 1` } : {}),
      leasedUntil: null,
    })
    .where(eq(deliveries.id, lease.id));
}

/** The lead's status is that of its newest CRM delivery. */
async function updateCrmStatus(tx: Queryable, { subject, next }: RecordedAttempt): Promise<void> {
  const { channel, leadId, createdAt } = subject.delivery;
  const status = crmStatuses[next.state];
  if (channel !== 'crm' || leadId === null || status === undefined) return;
  const newer = tx
    .select({ one: sql`1` })
    .from(deliveries)
    .where(
      and(eq(deliveries.leadId, leadId), eq(deliveries.channel, 'crm'), gt(deliveries.createdAt, createdAt)),
    );
  await tx
    .update(leads)
    .set({ crmSyncStatus: status })
    .where(
      and(
        eq(leads.id, leadId),
        sql`${leads.crmSyncStatus} is distinct from ${status}`,
        sql`not exists ${newer}`,
      ),
    );
}
