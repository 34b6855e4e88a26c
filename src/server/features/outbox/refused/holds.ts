import { and, eq, gt, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { type DeliveryChannel, retrySeconds } from '#shared/admin/deliveries.ts';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries, type DeliveryRow } from '#server/db/schema/index.ts';
import { clearAlert, listAlertSubjects, raiseAlert } from '../../alerts/alerts.ts';
import { system } from '../../audit/audit.ts';
import { closeTasks, openLeadTasks } from '../../suppression/staffTasks.ts';
import { heldRetryMs } from '../backoff.ts';
import { storeRefusal } from './channelRefusals.ts';
import { changeDeliveries, type DeliveryChange, queueAt } from '../deliveryStates.ts';
import type { Subject } from '../subject.ts';
import type { DeliveredResult, FailedResult, HeldResult } from '../types.ts';

/** An attempt and what it made of its delivery. */
export interface AttemptEnd {
  subject: Subject;
  result: DeliveredResult | FailedResult;
  next: DeliveryChange;
  now: Date;
}

const keyReason =
  'The CRM refuses this provider’s key. Its deliveries wait; set the key in the provider’s record.';

/** The task of staff about a lead that a refusal holds; null: the person's email has none. */
function getTaskKind(channel: DeliveryChannel): 'crm-held' | 'not-reached' | null {
  if (channel === 'crm') return 'crm-held';
  return channel === 'provider-email' ? 'not-reached' : null;
}

/**
 * What follows when a refusal holds a delivery about a lead: an alert for its channel, and a task to reach the provider
 * otherwise. A provider's own key concerns that provider only.
 */
export async function recordHold(tx: Queryable, { subject, result, next, now }: AttemptEnd): Promise<void> {
  if (subject.kind !== 'lead' || next.state !== 'held' || result.outcome !== 'failed') return;
  const { channel, template } = subject.delivery;
  if (result.isProviderKey === true) {
    const provider = String(subject.delivery.providerId ?? '');
    await raiseAlert(tx, { kind: 'crm-key-refused', subject: provider, message: keyReason, now });
    return;
  }
  if (next.holdCause !== 'later' && next.holdCause !== 'ours') return;
  const message = 'Deliveries were refused at every attempt and are held. Each is tried every hour.';
  await raiseAlert(tx, { kind: 'deliveries-held', subject: channel, message, now });
  const kind = getTaskKind(channel);
  if (kind !== null && template !== 'erased')
    await openLeadTasks(tx, { kind, leadIds: [subject.lead.id], now });
}

/** Closes the task of a lead whose delivery arrived after its round had ended. */
export async function recordArrival(tx: Queryable, { subject, now }: AttemptEnd): Promise<void> {
  if (subject.kind !== 'lead' || subject.delivery.attempts <= retrySeconds.length) return;
  const kind = getTaskKind(subject.delivery.channel);
  if (kind !== null) await closeTasks(tx, { kind, leadIds: [subject.lead.id] }, { by: system.name, now });
}

interface Unsent {
  delivery: Pick<DeliveryRow, 'channel' | 'providerId'>;
  result: HeldResult;
  now: Date;
}

/** What follows when this installation refuses to send: an alert for its channel, or for the provider's own key. */
export async function recordUnsent(
  db: Queryable,
  { delivery: { channel, providerId }, result, now }: Unsent,
): Promise<void> {
  const { holdCause, reason, isProviderKey } = result;
  if (holdCause !== 'ours' || channel === 'webhook') return;
  if (isProviderKey === true)
    await raiseAlert(db, { kind: 'crm-key-refused', subject: String(providerId), message: reason, now });
  else await storeRefusal(db, { channel, reason }, { pauses: false, now });
}

const isHeldForRefusal = and(eq(deliveries.state, 'held'), inArray(deliveries.holdCause, ['later', 'ours']));

/** Held, or queued for its hourly attempt: its round has none left. */
const isTriedHourly = or(
  isHeldForRefusal,
  and(
    eq(deliveries.state, 'queued'),
    sql`${deliveries.attempts} - ${deliveries.attemptsBeforeRound} >= ${retrySeconds.length}`,
  ),
);

async function exists(db: Queryable, condition: SQL | undefined): Promise<boolean> {
  const found = await db.select({ id: deliveries.id }).from(deliveries).where(condition).limit(1);
  return found.length > 0;
}

/** Ends the alerts about deliveries that are no longer held. */
export async function endHoldAlerts(db: Queryable): Promise<void> {
  for (const channel of await listAlertSubjects(db, 'deliveries-held')) {
    const isOfChannel = sql`${deliveries.channel} = ${channel}`;
    if (!(await exists(db, and(isOfChannel, isTriedHourly))))
      await clearAlert(db, { kind: 'deliveries-held', subject: channel });
  }
  for (const provider of await listAlertSubjects(db, 'crm-key-refused')) {
    const isOfProvider = and(eq(deliveries.channel, 'crm'), eq(deliveries.providerId, Number(provider)));
    if (!(await exists(db, and(isOfProvider, isHeldForRefusal))))
      await clearAlert(db, { kind: 'crm-key-refused', subject: provider });
  }
}

/**
 * Which deliveries that a refusal holds are tried now: at their time, or as soon as the provider's record changes, such
 * as its key or its email address. 1.0.0, after a rollback, leaves the cause and removes the time.
 */
export function isHeldDue(now: Date): SQL | undefined {
  const heldSince = sql`${deliveries.nextAttemptAt} - ${heldRetryMs / 1000} * interval '1 second'`;
  return and(
    isHeldForRefusal,
    or(
      isNull(deliveries.nextAttemptAt),
      lte(deliveries.nextAttemptAt, now),
      sql`exists (select from providers where providers.id = ${deliveries.providerId} and providers.updated_at > ${heldSince})`,
    ),
  );
}

/** Makes due what this installation refused to send: after a start, its settings may differ. Returns how many. */
export async function tryUnsentAgain(db: Queryable, now: Date): Promise<number> {
  const isUnsent = and(
    isHeldForRefusal,
    eq(deliveries.holdCause, 'ours'),
    eq(deliveries.attempts, deliveries.attemptsBeforeRound),
    gt(deliveries.nextAttemptAt, now),
  );
  const { id } = deliveries;
  const unsent = db.select({ id }).from(deliveries).where(isUnsent).for('update', { skipLocked: true });
  return (await db.update(deliveries).set({ nextAttemptAt: now }).where(inArray(id, unsent))).count;
}

/** Why a delivery waits for staff. */
export const mailboxReason =
  'Someone withdrew under another spelling of this email address. Decide whether it is the same person.';

const isHeldForMailbox = and(eq(deliveries.state, 'held'), eq(deliveries.holdCause, 'mailbox'));

/** Deliveries that no open task holds any more: staff decided, or an owner lifted the suppression. */
export function isDecided(): SQL | undefined {
  return and(
    isHeldForMailbox,
    sql`not exists (
      select from staff_tasks open_task
      where open_task.lead_id = ${deliveries.leadId} and open_task.kind = 'mailbox-withdrawn' and open_task.done_at is null)`,
  );
}

/** Queues what waits for a decision. Call it before closing the tasks: a withdrawal locks in this order. */
export async function releaseHeldForMailbox(
  tx: Queryable,
  leadIds: readonly number[],
  now: Date,
): Promise<void> {
  if (leadIds.length === 0) return;
  const isWaiting = and(isHeldForMailbox, inArray(deliveries.leadId, [...leadIds]));
  await changeDeliveries(tx, isWaiting, queueAt(now));
}
