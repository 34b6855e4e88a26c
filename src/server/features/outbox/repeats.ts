import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { assignmentUndoSeconds } from '#shared/admin/leadActions.ts';
import type { Queryable } from '#server/db/connect.ts';
import { readRows } from '#server/db/readRows.ts';
import { deliveries, type DeliveryInsert, leads } from '#server/db/schema/index.ts';
import { isSamePerson } from '../identity/identity.ts';
import { channelsTo, isTo } from './channelRules.ts';
import { changeDeliveries, queueAt } from './deliveryStates.ts';
import { enqueueDeliveries, unprovenReason } from './enqueueDeliveries.ts';

const deliveryId = z.object({ id: z.string() });

const repeatWindowMs = 86_400_000;
/** A message that is due later waits for something else, such as staff who may stop it. */
const soonMs = 60_000;

/** Why a provider gets no message about a lead whose contact details it has. */
export const repeatReason = 'The provider received the same contact details within the last 24 hours.';

/**
 * Whether the message `sent` about the lead `other` goes to the provider of the message `d`, which still has that lead:
 * it was neither deleted nor withdrawn.
 */
const isToSameProvider = sql`sent.channel = d.channel and sent.template = 'lead' and sent.provider_id = d.provider_id
  and other.provider_id = d.provider_id and other.deleted_at is null and other.acceptance_consent`;

/** Whether the message `sent` was delivered, or will be as soon as its provider can be reached. */
function isSentSoon(now: Date): SQL {
  const soon = new Date(now.getTime() + soonMs).toISOString();
  return sql`(sent.state in ('delivered', 'held')
    or (sent.state = 'queued' and (sent.attempts > 0 or sent.next_attempt_at <= ${soon}::timestamptz)))`;
}

/** For each new message, the person's newest lead that its provider received or is receiving, within 24 hours. */
function newestReceived(ids: readonly string[], now: Date): SQL {
  const since = new Date(now.getTime() - repeatWindowMs).toISOString();
  return sql`
    select distinct on (d.id) d.id, other.id as other_id, other.id < l.id as is_earlier,
      other.email_norm = l.email_norm and other.phone_e164 = l.phone_e164 as is_equal
    from deliveries d join leads l on l.id = d.lead_id
      join leads other on ${isSamePerson('other', 'l')} and other.id <> l.id
      join deliveries sent on sent.lead_id = other.id
    where d.id = any (string_to_array(${ids.join()}, ',')::uuid[]) and d.state <> 'cancelled'
      and ${isToSameProvider} and ${isSentSoon(now)} and sent.created_at > ${since}::timestamptz
      and (sent.created_at < d.created_at or other.id < l.id)
    order by d.id, other.id desc`;
}

/**
 * The rule for later leads of the same person (same email or phone), in the transaction that stored the messages to
 * their providers. Each lead is compared with the newest one of the same person that the provider received within the
 * last 24 hours. If email and phone are equal, the message is cancelled, with the reason. Otherwise it becomes a
 * correction of that lead, unless that lead is newer: then it is a message like any other. Messages that failed, were
 * cancelled or wait for something else don't count, nor do leads that the provider returned. `ids` are of deliveries to
 * providers.
 */
export async function applyRepeatRule(tx: Queryable, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  const equal = await readRows(tx, deliveryId)`
    select id from (${newestReceived(ids, now)}) as received where is_equal`;
  const equalIds = equal.map(({ id }) => id);
  const change = { state: 'cancelled', reason: repeatReason, finishedAt: now } as const;
  if (equal.length > 0) await changeDeliveries(tx, inArray(deliveries.id, equalIds), change);
  // After that, so that no message corrects a lead whose message in the same batch was just cancelled.
  await tx.execute(sql`
    with received as materialized (${newestReceived(ids, now)})
    update deliveries set corrects_lead_id = received.other_id
    from received where deliveries.id = received.id and received.is_earlier`);
}

/**
 * Whether a message to a provider repeats one that was delivered since it was stored: the newest lead of the same
 * person that the provider received within 24 hours has the same email and phone. For a query of `deliveries` with
 * their `leads`. False for what staff requested, and for a correction of the lead itself.
 */
export function isRepeat(now: Date): SQL<boolean> {
  const since = new Date(now.getTime() - repeatWindowMs).toISOString();
  const channels = sql.param(channelsTo('provider'));
  return sql<boolean>`case when ${deliveries.channel} = any (${channels}::text[]) and ${deliveries.template} = 'lead'
      and ${deliveries.requestedBy} is null and not ${deliveries.ignoresUnreachable}
      and ${deliveries.correctsLeadId} is distinct from ${deliveries.leadId}
    then coalesce((
      select (array_agg(other.email_norm = ${leads.emailNorm} and other.phone_e164 = ${leads.phoneE164} order by other.id desc))[1]
      from leads other join deliveries sent on sent.lead_id = other.id,
        (select ${deliveries.channel} as channel, ${deliveries.providerId} as provider_id) as d
      where ${isSamePerson('other', 'leads')} and other.id <> ${leads.id} and ${isToSameProvider}
        and sent.state = 'delivered' and sent.finished_at > ${since}::timestamptz), false) else false end`;
}

/** Of one sweep. */
const releasedMax = 100;

/**
 * Sends what was cancelled as a repeat within the last 24 hours, where the provider has no message with its contact
 * details: the one that it repeated failed or was cancelled, or its lead was deleted or went to another provider. Staff
 * may have sent its lead since. Of several with the same details, sends the newest one. Returns how many.
 */
export async function releaseRepeats(db: Queryable, now: Date): Promise<number> {
  const since = new Date(now.getTime() - repeatWindowMs).toISOString();
  const rows = await readRows(db, deliveryId)`
    select distinct on (d.provider_id, l.email_norm, l.phone_e164) d.id
    from deliveries d join leads l on l.id = d.lead_id and l.provider_id = d.provider_id
    where d.state = 'cancelled' and d.created_at > ${since}::timestamptz and d.reason = ${repeatReason}
      and d.template = 'lead' and d.channel = any (${sql.param(channelsTo('provider'))}::text[]) and d.leased_until is null
      and l.deleted_at is null and l.erased_at is null and l.quarantined_at is null
      and not exists (
        select from leads other join deliveries sent on sent.lead_id = other.id
        where other.email_norm = l.email_norm and other.phone_e164 = l.phone_e164 and sent.id <> d.id
          and ${isToSameProvider} and ${isSentSoon(now)})
    order by d.provider_id, l.email_norm, l.phone_e164, l.id desc
    limit ${releasedMax}`;
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  const isCancelled = and(eq(deliveries.state, 'cancelled'), eq(deliveries.reason, repeatReason));
  return (await changeDeliveries(db, and(inArray(deliveries.id, ids), isCancelled), queueAt(now))).length;
}

interface TakenBack {
  /** The leads whose messages to the provider were deleted before they were sent. */
  leadIds: readonly number[];
  providerId: number;
  /** When they were stored. */
  since: Date;
  now: Date;
}

/**
 * Applies the rule again to messages compared with others that were taken back: the provider has those details only if
 * another message says them. They may come from an assignment too, so they wait for the end of its Undo.
 */
export async function reconsiderRepeats(
  tx: Queryable,
  { leadIds, providerId, since, now }: TakenBack,
): Promise<void> {
  const from = since.toISOString();
  const rows = await readRows(tx, deliveryId)`
    select d.id from deliveries d join leads l on l.id = d.lead_id
    where d.provider_id = ${providerId} and d.template = 'lead' and d.attempts = 0 and d.leased_until is null
      and d.channel = any (${sql.param(channelsTo('provider'))}::text[]) and d.created_at >= ${from}::timestamptz
      and ((d.state = 'cancelled' and d.reason = ${repeatReason} and exists (
          select from leads other where other.id = any (${sql.param([...leadIds])}::bigint[]) and ${isSamePerson('other', 'l')}))
        or (d.state in ('queued', 'held') and d.corrects_lead_id = any (${sql.param([...leadIds])}::bigint[])))`;
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return;
  const isCompared = inArray(deliveries.id, ids);
  await tx.update(deliveries).set({ correctsLeadId: null }).where(isCompared);
  const undoEnd = new Date(now.getTime() + assignmentUndoSeconds * 1000);
  await changeDeliveries(tx, and(isCompared, eq(deliveries.state, 'cancelled')), queueAt(undoEnd));
  await applyRepeatRule(tx, ids, now);
}

/** Cancels the message to the person of every lead whose first one was withheld because the lead had no valid token. */
async function withholdUnproven(tx: Queryable, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  const wasWithheld = sql`exists (
    select from deliveries first where first.lead_id = ${deliveries.leadId} and first.id <> ${deliveries.id}
      and first.channel = any (${sql.param(channelsTo('person'))}::text[]) and first.state = 'cancelled' and first.reason = ${unprovenReason})`;
  const change = { state: 'cancelled', reason: unprovenReason, finishedAt: now } as const;
  await changeDeliveries(tx, and(inArray(deliveries.id, [...ids]), wasWithheld), change);
}

/** Stores deliveries of existing leads under the rules for repeats and for leads without a valid token. */
export async function insertDeliveries(
  tx: Queryable,
  rows: readonly DeliveryInsert[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return;
  await enqueueDeliveries(tx, rows);
  const idsTo = (recipient: 'person' | 'provider'): string[] =>
    rows.flatMap(({ id, channel }) => (isTo(recipient, channel) ? [id] : []));
  await withholdUnproven(tx, idsTo('person'), now);
  await applyRepeatRule(tx, idsTo('provider'), now);
}
