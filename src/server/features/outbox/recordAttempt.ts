import { eq, sql } from 'drizzle-orm';
import type { Database, Queryable } from '#server/db/connect.ts';
import { deliverySeconds } from '#server/metrics.ts';
import { deliveries, deliveryAttempts, leads, webhookEndpoints } from '#server/db/schema/index.ts';
import { changeDeliveries, type DeliveryChange } from './deliveryStates.ts';
import { flagFailedDeliveries, updateCrmStatus } from './leadStatus.ts';
import type { Lease } from './lease.ts';
import { redact } from './redact.ts';
import type { Subject } from './subject.ts';
import type { Channels, DeliveredResult, FailedResult, LockedLead } from './types.ts';

export interface RecordedAttempt {
  lease: Lease;
  subject: Subject;
  result: DeliveredResult | FailedResult;
  next: DeliveryChange;
  durationMs: number;
  /** By us: it doesn't count as an attempt of the round. */
  isInterrupted: boolean;
  now: Date;
  /** The channel's effects. */
  afterAttempt: (tx: Queryable) => Promise<void>;
  onLeadFailure: Channels['onLeadFailure'];
}

/**
 * Records an attempt in one transaction: the attempt, the delivery's next state, and the effects on the lead or the
 * endpoint. A lease that has ended changes nothing but the list of attempts. A delivery that was cancelled during the
 * attempt stays cancelled, but stores the recipient's name for it: an erasure needs it. After the person is erased, no
 * answer is stored.
 */
export async function recordAttempt(db: Database, attempt: RecordedAttempt): Promise<void> {
  const { subject, lease, result, next, durationMs, isInterrupted } = attempt;
  const { channel, leadId } = subject.delivery;
  await db.transaction(async (tx) => {
    const { lead, delivery } = await lockRows(tx, attempt);
    if (delivery === undefined || (subject.kind === 'lead' && lead === undefined)) return;
    const isOurs = delivery.leasedUntil?.getTime() === lease.leasedUntil.getTime();
    const isQueued = isOurs && delivery.state === 'queued';
    const mayStoreAnswer = lead === undefined || lead.erasedAt === null;
    // Sent together and run in this order: one round trip.
    await Promise.all([
      insertAttempt(tx, attempt, mayStoreAnswer),
      isOurs ? updateDelivery(tx, attempt, isQueued) : undefined,
      isQueued && channel === 'crm' && leadId !== null ? updateCrmStatus(tx, [leadId]) : undefined,
    ]);
    if (isQueued && next.state === 'failed') await recordFailure(tx, attempt, lead);
    if (!isInterrupted) await attempt.afterAttempt(tx);
  });
  deliverySeconds.observe({ channel, outcome: result.outcome }, durationMs / 1000);
}

/** Locks the lead, the endpoint and the delivery in this order, as everywhere. */
async function lockRows(tx: Queryable, { subject, lease }: RecordedAttempt) {
  const leadId = subject.kind === 'lead' ? subject.lead.id : subject.event.leadId;
  const { endpointId } = subject.delivery;
  // Sent together and run in this order: one round trip.
  const [lead, , [delivery]] = await Promise.all([
    leadId === null ? undefined : lockLead(tx, leadId),
    endpointId === null ? undefined : lockEndpoint(tx, endpointId),
    tx
      .select({ state: deliveries.state, leasedUntil: deliveries.leasedUntil })
      .from(deliveries)
      .where(eq(deliveries.id, lease.id))
      .for('update'),
  ]);
  return { lead, delivery };
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

async function lockEndpoint(tx: Queryable, id: string): Promise<void> {
  await tx
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, id))
    .for('no key update');
}

/** Without a lead: only what looks like contact details is removed. */
const nobody = { firstName: '', lastName: '', email: '', phone: '' };

async function insertAttempt(
  tx: Queryable,
  { subject, result, durationMs, now }: RecordedAttempt,
  mayStoreAnswer: boolean,
): Promise<void> {
  const { id, leadId, channel } = subject.delivery;
  const person = subject.kind === 'lead' ? subject.lead : nobody;
  const answer = mayStoreAnswer && result.answer !== null ? redact(result.answer, person) : null;
  await tx.insert(deliveryAttempts).values({
    ...{ deliveryId: id, leadId, channel, at: now },
    durationMs: Math.round(durationMs),
    outcome: result.outcome,
    status: result.status,
    reason: result.outcome === 'failed' ? result.reason : null,
    answer,
  });
}

/** Ends the lease, and changes the state unless the delivery was cancelled during the attempt. */
async function updateDelivery(
  tx: Queryable,
  { lease, result, next, isInterrupted }: RecordedAttempt,
  isQueued: boolean,
): Promise<void> {
  const remoteId = result.outcome === 'delivered' ? result.remoteId : undefined;
  const where = eq(deliveries.id, lease.id);
  const set = {
    leasedUntil: null,
    ...(remoteId === undefined ? {} : { remoteId }),
    ...(isInterrupted ? { attemptsBeforeRound: sql`${deliveries.attemptsBeforeRound} + 1` } : {}),
  };
  if (isQueued) await changeDeliveries(tx, next, { where, set });
  else await tx.update(deliveries).set(set).where(where);
}

/**
 * A delivery about a lead failed for good: staff see it in the list, integrators get an event. A failed webhook causes
 * no event.
 */
async function recordFailure(
  tx: Queryable,
  { subject, onLeadFailure }: RecordedAttempt,
  lead: LockedLead | undefined,
): Promise<void> {
  if (subject.kind !== 'lead' || lead === undefined) return;
  await onLeadFailure(tx, lead, subject.delivery);
  await flagFailedDeliveries(tx, [lead.id]);
}
