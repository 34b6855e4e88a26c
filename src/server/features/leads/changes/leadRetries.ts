import { and, desc, eq, gt, inArray, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm';
import { type LeadChannel, resendsPerDayMax } from '#shared/admin/deliveries.ts';
import { dayMs } from '#shared/formats/time.ts';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries, type DeliveryRow, leads } from '#server/db/schema/index.ts';
import { AppError, notFound } from '#server/errors.ts';
import { isTo, type RetryKind } from '../../outbox/channelRules.ts';
import { enqueueDeliveries, planDeliveries, toRows } from '../../outbox/enqueueDeliveries.ts';
import { type LockedLead, lockLeads, updateCrmStatus } from '../../outbox/leadStatus.ts';
import { withheldReasons } from '../../mail/recipientLimits.ts';
import { staleReason } from '../../outbox/releaseHeld.ts';
import { repeatReason } from '../../outbox/repeats.ts';
import { requeue } from '../../outbox/requeue.ts';
import { handledReason } from '../../outbox/unreachableHolds.ts';
import { retryNow, type RetryOutcome } from '../../outbox/attemptDelivery.ts';
import { recordAuditOfEach, system } from '../../audit/audit.ts';
import { isLeadSuppressed } from '../../suppression/suppressions.ts';
import type { LeadAction } from './leadChanges.ts';

export type Outcome = { success: true } | { success: false; error: string };

const noneToSync =
  'Nothing was queued. These leads are in quarantine, or their delivery succeeded, was canceled or is in progress.';
const noProvider = 'The lead has no provider. Assign one first.';
const tooOften = `This email was resent ${resendsPerDayMax} times in the last 24 hours. Try again later.`;

type NewDelivery = Pick<DeliveryRow, 'id'> & { leadId: number };
type Latest = NewDelivery & Pick<DeliveryRow, 'state' | 'reason' | 'providerId'>;

function toOutcome({ state, reason }: RetryOutcome): Outcome {
  return state === 'delivered'
    ? { success: true }
    : { success: false, error: reason ?? 'The delivery is still in progress.' };
}

/** Locks leads. Deleted and unknown ones are omitted. */
function lockRetried(tx: Queryable, ids: readonly number[], condition?: SQL): Promise<LockedLead[]> {
  return lockLeads(tx, and(inArray(leads.id, [...ids]), isNull(leads.deletedAt), condition));
}

async function listSuppressed(
  tx: Queryable,
  ids: readonly number[],
  identityKey: Buffer,
): Promise<ReadonlySet<number>> {
  const rows = await tx
    .select({ id: leads.id })
    .from(leads)
    .where(and(inArray(leads.id, [...ids]), isLeadSuppressed(identityKey)));
  return new Set(rows.map(({ id }) => id));
}

/** The latest delivery of each lead by a channel. */
async function findLatest(
  tx: Queryable,
  channel: LeadChannel,
  ids: readonly number[],
): Promise<Map<number, Latest>> {
  const rows = await tx
    .selectDistinctOn([deliveries.leadId], {
      id: deliveries.id,
      leadId: sql<number>`${deliveries.leadId}`.mapWith(Number),
      state: deliveries.state,
      reason: deliveries.reason,
      providerId: deliveries.providerId,
    })
    .from(deliveries)
    .where(
      and(
        inArray(deliveries.leadId, [...ids]),
        eq(deliveries.channel, channel),
        eq(deliveries.template, 'lead'),
      ),
    )
    .orderBy(deliveries.leadId, desc(deliveries.createdAt));
  return new Map(rows.map((row) => [row.leadId, row]));
}

/** Enqueues a delivery for each of these leads, like the intake does for a new lead. */
async function createDeliveries(
  tx: Queryable,
  { services: { channels, now }, actor }: LeadAction,
  channel: LeadChannel,
  missing: readonly LockedLead[],
): Promise<NewDelivery[]> {
  if (missing.length === 0) return [];
  const createdAt = now();
  const rows = missing.flatMap(({ id: leadId, providerId }) =>
    toRows(planDeliveries({ channels, providerId, now: createdAt, of: [channel] }), {
      leadId,
      createdAt,
      requestedBy: actor.name,
    }),
  );
  // What staff request is sent although earlier messages were refused.
  await enqueueDeliveries(
    tx,
    rows.map((row) => ({ ...row, ignoresUnreachable: channel !== 'crm' })),
  );
  return rows;
}

/** Which of these leads' emails by a channel were resent too often to be sent again. */
async function listResentTooOften(
  tx: Queryable,
  channel: LeadChannel,
  { leadIds, now }: { leadIds: readonly number[]; now: Date },
): Promise<ReadonlySet<number>> {
  const isResend = and(
    inArray(deliveries.leadId, [...leadIds]),
    eq(deliveries.channel, channel),
    // Null for the intake's delivery, 'System' for a rematch's. Neither is a resend.
    ne(deliveries.requestedBy, system.name),
    gt(deliveries.createdAt, new Date(now.getTime() - dayMs)),
  );
  const rows = await tx
    .select({ leadId: deliveries.leadId })
    .from(deliveries)
    .where(isResend)
    .groupBy(deliveries.leadId)
    .having(sql`count(*) >= ${resendsPerDayMax}`);
  return new Set(rows.flatMap(({ leadId }) => leadId ?? []));
}

/** The delivery to attempt, or why there is none. */
type ToAttempt = { id: string } | { error: string };

/** Why an email was canceled that staff may send nevertheless. */
const notSentReasons: readonly string[] = [...withheldReasons, repeatReason, handledReason, staleReason];

/** Whether a retry sends a new email: none went to this provider, or staff resend a delivered or withheld one. */
function needsNew(channel: LeadChannel, lead: LockedLead, latest: Latest | undefined): boolean {
  if (latest === undefined) return true;
  if (channel === 'crm') return false;
  const { state, reason, providerId } = latest;
  if (isTo('provider', channel) && providerId !== lead.providerId) return true;
  return state === 'delivered' || (state === 'cancelled' && notSentReasons.includes(reason ?? ''));
}

/** Returns the latest delivery of the channel. Creates one if there is none, or if an email is resent. */
async function chooseDelivery(
  tx: Queryable,
  staffAction: LeadAction,
  lead: LockedLead,
  channel: LeadChannel,
): Promise<ToAttempt> {
  if (lead.quarantinedAt !== null) return { error: 'The lead is in quarantine. Release it first.' };
  if (isTo('provider', channel) && lead.providerId === null) return { error: noProvider };
  const latest = (await findLatest(tx, channel, [lead.id])).get(lead.id);
  if (latest !== undefined && !needsNew(channel, lead, latest)) return { id: latest.id };
  const limit = { leadIds: [lead.id], now: staffAction.services.now() };
  if (latest !== undefined && (await listResentTooOften(tx, channel, limit)).has(lead.id))
    return { error: tooOften };
  const [created] = await createDeliveries(tx, staffAction, channel, [lead]);
  return created === undefined ? { error: 'There is nothing to deliver.' } : { id: created.id };
}

const retriedChannels = {
  sync: 'crm',
  email: 'lead-email',
  provider: 'provider-email',
} as const satisfies Record<RetryKind, LeadChannel>;

async function recordRetries(
  db: Queryable,
  { actor, ip }: LeadAction,
  ids: readonly number[],
  detail: { what: RetryKind } & (Outcome | { queued: true }),
): Promise<void> {
  const lines = ids.map((id) => ({ subject: { kind: 'lead', id }, detail }));
  await recordAuditOfEach(db, { actor, ip, action: 'lead.retry' }, lines);
}

/**
 * Makes one attempt to deliver a lead to the CRM, or to send the email to the person or to the provider. Returns the
 * result: a failure is not an error. Resends an email that was delivered or withheld, at most three times in 24 hours,
 * and five times to one person's address. Audits each call. Throws NOT_FOUND 'Lead not found'.
 */
export async function retryLead(staffAction: LeadAction, id: number, what: RetryKind): Promise<Outcome> {
  const { services } = staffAction;
  const toAttempt = await services.db.transaction(async (tx) => {
    const [lead] = await lockRetried(tx, [id]);
    if (lead === undefined) throw notFound('Lead');
    return chooseDelivery(tx, staffAction, lead, retriedChannels[what]);
  });
  const outcome: Outcome =
    'id' in toAttempt ? toOutcome(await retryNow(services, toAttempt.id)) : { success: false, ...toAttempt };
  await recordRetries(services.db, staffAction, [id], { what, ...outcome });
  return outcome;
}

/**
 * Queues leads for the CRM, due now, also leads that the CRM never got. Skips deleted, unknown and quarantined leads,
 * and leads whose delivery succeeded, was canceled or is in progress. Audits the queued leads. If no CRM is configured,
 * changes nothing and audits all requested leads. Throws NOT_FOUND 'Lead not found' if all are deleted or unknown.
 */
export async function retrySyncOfLeads(staffAction: LeadAction, ids: readonly number[]): Promise<Outcome> {
  const { db, dataKeys, channels, wakeSignal } = staffAction.services;
  const { key: identityKey } = await dataKeys.current('identity');
  const held = channels.crm.heldReason();
  const outcome = await db.transaction(async (tx): Promise<Outcome> => {
    const found = await lockRetried(tx, ids);
    if (found.length === 0) throw notFound('Lead');
    if (held !== null) {
      const failure = { success: false, error: held } as const;
      const asked = found.map(({ id }) => id);
      await recordRetries(tx, staffAction, asked, { what: 'sync', ...failure });
      return failure;
    }
    const free = found.filter(({ quarantinedAt }) => quarantinedAt === null);
    const queued = await queueByChannel(tx, staffAction, { channel: 'crm', found: free, identityKey });
    await recordRetries(tx, staffAction, queued, { what: 'sync', queued: true });
    return queued.length === 0 ? { success: false, error: noneToSync } : { success: true };
  });
  wakeSignal.wake();
  return outcome;
}

/**
 * Queues new deliveries (`needsNew`), unless resent too often, or the latest ones again. Returns lead ids, ascending.
 */
async function queueByChannel(
  tx: Queryable,
  staffAction: LeadAction,
  {
    channel,
    found,
    identityKey,
  }: { channel: LeadChannel; found: readonly LockedLead[]; identityKey: Buffer },
): Promise<number[]> {
  const now = staffAction.services.now();
  const leadIds = found.map(({ id }) => id);
  const latest = await findLatest(tx, channel, leadIds);
  const sentTooOften = await listResentTooOften(tx, channel, { leadIds, now });
  const isNew = (lead: LockedLead): boolean => needsNew(channel, lead, latest.get(lead.id));
  const fresh = found.filter((lead) => isNew(lead) && !sentTooOften.has(lead.id));
  const created = (await createDeliveries(tx, staffAction, channel, fresh)).map(({ leadId }) => leadId);
  if (channel === 'crm') await updateCrmStatus(tx, created);
  const open = found.flatMap((lead) => (isNew(lead) ? [] : (latest.get(lead.id)?.id ?? [])));
  const requeued = new Set(await requeue(tx, open, { now, identityKey }));
  const again = leadIds.filter((id) => requeued.has(latest.get(id)?.id ?? ''));
  return [...created, ...again].toSorted((a, b) => a - b);
}

/**
 * Sends the emails about leads to their providers again, due now: attempts those that failed, wait or are held, and
 * resends those that arrived. Skips leads that are deleted, unknown, quarantined or without a provider, and those that
 * were resent too often. Audits the queued leads and returns them. Throws CONFLICT if email isn't configured.
 */
export async function resendToProviders(staffAction: LeadAction, ids: readonly number[]): Promise<number[]> {
  const { db, dataKeys, channels, wakeSignal } = staffAction.services;
  const channel = retriedChannels.provider;
  const held = channels[channel].heldReason();
  if (held !== null) throw new AppError('CONFLICT', held);
  const { key: identityKey } = await dataKeys.current('identity');
  const queued = await db.transaction(async (tx) => {
    const locked = await lockRetried(tx, ids, and(isNull(leads.quarantinedAt), isNotNull(leads.providerId)));
    // A statement of its own: it sees the withdrawal that the lock waited for.
    const suppressed = await listSuppressed(tx, ids, identityKey);
    const found = locked.filter(({ id }) => !suppressed.has(id));
    const sent = await queueByChannel(tx, staffAction, { channel, found, identityKey });
    await recordRetries(tx, staffAction, sent, { what: 'provider', queued: true });
    return sent;
  });
  wakeSignal.wake();
  return queued;
}
