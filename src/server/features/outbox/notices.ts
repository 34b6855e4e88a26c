import { randomUUID } from 'node:crypto';
import { and, eq, gt, inArray, isNotNull, isNull, lte, max, not, or, type SQL, sql } from 'drizzle-orm';
import type { LeadChannel } from '#shared/admin/deliveries.ts';
import type { Queryable } from '#server/db/connect.ts';
import {
  deliveries,
  deliveryAttempts,
  type DeliveryInsert,
  leads,
  webhookEvents,
} from '#server/db/schema/index.ts';
import { cancelLeadDeliveries, erasedReason } from './cancelDeliveries.ts';
import { channelsTo } from './channelRules.ts';
import { enqueueDeliveries, planDeliveries, toRows } from './enqueueDeliveries.ts';
import { updateCrmStatus } from './leadStatus.ts';
import { repeatReason } from './repeats.ts';
import type { Channels } from './types.ts';

/** The channels by which a provider or its CRM receives a lead. */
const providerChannels = channelsTo('provider', 'crm');

/** How a provider is notified, by whichever channel it received the lead. */
const noticeChannel = 'provider-email' as const;

/**
 * Enqueues a notice of a withdrawal to each provider that received one of these leads, or may have (an attempt without
 * an answer), about the newest. Skips providers with a notice since `since`. Returns the new deliveries' ids.
 */
export async function enqueueWithdrawalNotices(
  tx: Queryable,
  leadIds: readonly number[],
  { now, since }: { now: Date; since: Date },
): Promise<string[]> {
  if (leadIds.length === 0) return [];
  const { leadId, providerId, channel, template, state, attempts } = deliveries;
  const hasNotice = sql`exists (
    select from deliveries notice where notice.lead_id = any (${sql.param([...leadIds])}::bigint[])
      and notice.template = 'withdrawn' and notice.provider_id = ${providerId} and notice.created_at >= ${since.toISOString()}::timestamptz)`;
  const recipients = await tx
    .selectDistinctOn([providerId], { providerId, leadId })
    .from(deliveries)
    .where(
      and(
        inArray(leadId, [...leadIds]),
        inArray(channel, providerChannels),
        eq(template, 'lead'),
        isNotNull(providerId),
        or(eq(state, 'delivered'), gt(attempts, 0)),
        not(hasNotice),
      ),
    )
    .orderBy(providerId, sql`${leadId} desc`);
  const rows = recipients.map((recipient) => ({
    ...{ ...recipient, id: randomUUID(), channel: noticeChannel, template: 'withdrawn' as const },
    ...{ nextAttemptAt: now, createdAt: now },
  }));
  await enqueueDeliveries(tx, rows);
  return rows.map(({ id }) => id);
}

interface Correction {
  leadId: number;
  /** Who has the lead; null: nobody. */
  providerId: number | null;
  channels: Channels;
  /** Who corrected it. */
  by: string;
  now: Date;
}

/** Whether the present provider may have a lead: it once received it or the same details, or is receiving it. */
function mayHaveLead({ leadId, providerId, now }: Correction): SQL | undefined {
  const { state, reason, leasedUntil, template } = deliveries;
  const arrived = sql`exists (
    select from delivery_attempts made where made.delivery_id = ${deliveries.id} and made.outcome = 'delivered')`;
  return and(
    ...[eq(deliveries.leadId, leadId), eq(template, 'lead')],
    providerId === null ? isNull(deliveries.providerId) : eq(deliveries.providerId, providerId),
    or(eq(state, 'delivered'), arrived, gt(leasedUntil, now), eq(reason, repeatReason)),
  );
}

/** No worker leases these deliveries of a lead until the transaction ends: an attempt sends what it read before. */
export async function lockLeadDeliveries(tx: Queryable, leadId: number): Promise<void> {
  const { id, state } = deliveries;
  await tx
    .select({ id })
    .from(deliveries)
    .where(and(eq(deliveries.leadId, leadId), inArray(state, ['queued', 'held'])))
    .orderBy(id)
    .for('update');
}

/** The channels by which the lead's present provider, or the CRM, may have it. */
export async function listChannelsWithLead(
  tx: Queryable,
  correction: Correction,
): Promise<readonly LeadChannel[]> {
  const rows = await tx
    .selectDistinct({ channel: deliveries.channel })
    .from(deliveries)
    .where(mayHaveLead(correction));
  return providerChannels.filter((known) => rows.some(({ channel }) => channel === known));
}

/** Resends a corrected lead to those that have it, even a repeat: the provider must learn which lead was wrong. */
export async function enqueueCorrections(tx: Queryable, correction: Correction): Promise<void> {
  const { leadId, providerId, channels, by, now } = correction;
  const having = await listChannelsWithLead(tx, correction);
  const { leasedUntil } = deliveries;
  const waiting = await tx
    .update(deliveries)
    .set({
      correctsLeadId: sql`case when ${deliveries.channel} = ${noticeChannel} then ${leadId}::bigint end`,
    })
    .where(
      and(
        ...[eq(deliveries.leadId, leadId), eq(deliveries.template, 'lead')],
        ...[inArray(deliveries.channel, [...having]), inArray(deliveries.state, ['queued', 'held'])],
        or(isNull(leasedUntil), lte(leasedUntil, now)),
      ),
    )
    .returning({ channel: deliveries.channel });
  const of = having.filter((known) => waiting.every(({ channel }) => channel !== known));
  const rows = toRows(planDeliveries({ channels, providerId, now, of }), {
    leadId,
    createdAt: now,
    requestedBy: by,
  });
  await enqueueDeliveries(
    tx,
    rows.map((row) => ({ ...row, ...(row.channel === noticeChannel ? { correctsLeadId: leadId } : {}) })),
  );
  await updateCrmStatus(tx, [leadId]);
}

/**
 * Enqueues the notices of an erasure: for each lead a message to every provider that received it, or may have (an
 * attempt without an answer), and an erasure to every CRM that may have it. They contain only the lead's number; a CRM
 * recognizes its contact by the remote id, which is stored until `forgetRemoteIds`. All other unfinished deliveries are
 * cancelled. The notices wait for attempts in progress, which can't be stopped and whose answer may name the contact.
 * Returns how many.
 */
export async function enqueueErasureNotices(
  tx: Queryable,
  leadIds: readonly number[],
  now: Date,
): Promise<number> {
  if (leadIds.length === 0) return 0;
  const { leadId, providerId, channel, template, state, attempts, remoteId } = deliveries;
  const nextAttemptAt = await attemptsEndAt(tx, leadIds, now);
  await cancelLeadDeliveries(tx, leadIds, { reason: erasedReason, now, withNotices: true });
  const recipients = await tx
    .selectDistinct({ leadId, providerId, channel })
    .from(deliveries)
    .where(
      and(
        inArray(leadId, [...leadIds]),
        inArray(channel, providerChannels),
        eq(template, 'lead'),
        or(eq(state, 'delivered'), gt(attempts, 0), isNotNull(remoteId)),
      ),
    );
  const notices = new Map<string, DeliveryInsert>();
  for (const recipient of recipients) {
    const { channel: received, providerId: recipientId } = recipient;
    // A provider whose CRM has the lead knows of it like one that received a message.
    const toProvider = recipientId === null ? [] : [noticeChannel];
    for (const through of received === 'crm' ? [...toProvider, received] : toProvider) {
      const notice = { ...recipient, channel: through, template: 'erased' as const, nextAttemptAt };
      notices.set(`${recipient.leadId} ${recipient.providerId} ${through}`, { id: randomUUID(), ...notice });
    }
  }
  await enqueueDeliveries(tx, [...notices.values()]);
  return notices.size;
}

/** When the last attempt in progress about these leads ends at the latest; now if there is none. */
async function attemptsEndAt(tx: Queryable, leadIds: readonly number[], now: Date): Promise<Date> {
  const [row] = await tx
    .select({ at: max(deliveries.leasedUntil) })
    .from(deliveries)
    .where(and(inArray(deliveries.leadId, [...leadIds]), gt(deliveries.leasedUntil, now)));
  return row?.at ?? now;
}

/**
 * Deletes the recipients' names for an erased person's records, the last data that could identify the person, when no
 * erasure needs them: those of emails immediately, a CRM's after the erasure was delivered. A failed erasure keeps it,
 * as staff may retry it. Safe in any number of processes.
 */
export async function forgetRemoteIds(db: Queryable): Promise<void> {
  const { remoteId, leadId, channel } = deliveries;
  const erased = db.select({ id: leads.id }).from(leads).where(isNotNull(leads.erasedAt));
  const hasOpenErasure = sql`exists (
    select from deliveries erasure where erasure.lead_id = ${leadId} and erasure.channel = 'crm'
      and erasure.template = 'erased' and erasure.state in ('queued', 'held', 'failed'))`;
  await db
    .update(deliveries)
    .set({ remoteId: null })
    .where(
      and(isNotNull(remoteId), inArray(leadId, erased), sql`not (${channel} = 'crm' and ${hasOpenErasure})`),
    );
}

/** Deletes what recipients answered to attempts about these leads and their events. */
export async function deleteAnswers(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  const ofEvents = tx
    .select({ id: deliveries.id })
    .from(deliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, deliveries.eventId))
    .where(inArray(webhookEvents.leadId, [...leadIds]));
  const hasAnswer = isNotNull(deliveryAttempts.answer);
  // Two statements: each uses its own index.
  for (const isAboutThem of [
    inArray(deliveryAttempts.leadId, [...leadIds]),
    inArray(deliveryAttempts.deliveryId, ofEvents),
  ])
    await tx.update(deliveryAttempts).set({ answer: null }).where(and(hasAnswer, isAboutThem));
}
