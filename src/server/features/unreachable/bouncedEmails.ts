import { minuteMs, dayMs } from '#shared/formats/time.ts';
import type { MailEvent } from '#shared/leads/inboundMail.ts';
import { type DeliveryRow, deliveries, leads, providers } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { changeAfter } from '../outbox/backoff.ts';
import { recordBounce, bouncedStart } from '../outbox/bounce.ts';
import type { DeliveryChange } from '../outbox/deliveryStates.ts';
import { parseEnhancedCode, marksUnreachable } from '../outbox/refusals.ts';
import { postponeHold, holdFailed } from '../outbox/unreachableHolds.ts';
import { openLeadTasks } from '../suppression/staffTasks.ts';
import { findMark, markAddress, releaseAt, toSentence, complaintReason, updateMark } from './addressMarks.ts';
import { and, eq, gt, inArray, isNull, like, ne, or, sql } from 'drizzle-orm';
import { rematchDaysMax } from '#shared/leads/leadOutcomes.ts';
import type { Queryable } from '#server/db/connect.ts';
import { unreachableReasons } from '../mail/unreachableAddresses.ts';
import { lockLeadsByDelivery } from '../outbox/requeue.ts';
import { markedAddress } from './listUnreachable.ts';

/** A server that accepted an email and bounced it is asked again after this time at the earliest. */
const retryAfterSeconds = (30 * minuteMs) / 1000;

export interface BouncedEmail {
  delivery: DeliveryRow & { leadId: number };
  /** The recipient's, as its record is now. */
  address: string;
  /** It bounced from another address: the provider's record has been corrected since. */
  isCorrected: boolean;
  /** For staff, without contact details. */
  reason: string;
  event: Pick<MailEvent, 'permanent' | 'reason'>;
}

/** Whether a bounce says that its address can't be reached. Unless the mail service says so, the code decides. */
export function isPermanent({ permanent, reason }: BouncedEmail['event']): boolean {
  return permanent ?? marksUnreachable(parseEnhancedCode(reason));
}

/** Whether a bounce is about the content of its message (RFC 3463, subject 6): others may arrive. */
export function isAboutMessage({ reason }: BouncedEmail['event']): boolean {
  return parseEnhancedCode(reason)?.startsWith('5.6.') === true;
}

/**
 * What a bounce says; a code outranks the service's word, as full mailboxes are called permanent. Null: nothing yet.
 */
function bounceKind({
  permanent,
  reason,
}: BouncedEmail['event']): 'unreachable' | 'message' | 'later' | null {
  const code = parseEnhancedCode(reason);
  if (permanent === false) return null;
  if (code === null) return permanent === true ? 'unreachable' : null;
  if (permanent === undefined && !code.startsWith('5.')) return null;
  if (isAboutMessage({ reason })) return 'message';
  return marksUnreachable(code) ? 'unreachable' : 'later';
}

/**
 * After a bounce of an email to a provider: its address is marked and the email held, or only this message fails and
 * becomes a task, or it is sent again later. If the address was corrected in the meantime, it is sent there.
 */
export async function bounceProvider(
  { db, now, channels: { onLeadFailure } }: Pick<Services, 'db' | 'now' | 'channels'>,
  { delivery, address, isCorrected, reason, event }: BouncedEmail,
): Promise<void> {
  const kind = bounceKind(event);
  if (kind === null) return;
  const at = now();
  const bounce = { delivery, reason, now: at, onLeadFailure };
  await db.transaction(async (tx) => {
    if (kind === 'message') {
      const next = { state: 'failed', reason, finishedAt: at } as const;
      const leadIds = (await recordBounce(tx, { ...bounce, next })) ? [delivery.leadId] : [];
      await openLeadTasks(tx, { kind: 'message-refused', leadIds, now: at });
    } else if (isCorrected)
      await recordBounce(tx, { ...bounce, next: { state: 'queued', reason, nextAttemptAt: at } });
    else if (kind === 'later' && (await findMark(tx, address)) === null)
      await recordBounce(tx, { ...bounce, next: retryAfter(delivery, { reason, now: at }) });
    else {
      const held = { state: 'held', holdCause: 'unreachable', reason, nextAttemptAt: at } as const;
      if (!(await recordBounce(tx, { ...bounce, next: held }))) return;
      const code = parseEnhancedCode(event.reason);
      const known = { address, cause: 'bounce', code, reason: toSentence(reason), now: at } as const;
      const mark = await markAddress(tx, { ...known, acceptedAt: delivery.finishedAt });
      await postponeHold(tx, delivery.id, releaseAt(mark));
    }
  });
}

/** The bounce is a failed attempt of its round. */
function retryAfter(
  { channel, attempts, attemptsBeforeRound }: DeliveryRow,
  { reason, now }: { reason: string; now: Date },
): DeliveryChange {
  const failed = { outcome: 'failed', refusal: 'later', status: null, answer: null, reason } as const;
  const attempted = { channel, attempts: attempts - attemptsBeforeRound, now };
  return changeAfter({ ...failed, retryAfterSeconds }, attempted);
}

const batchSize = 500;

interface Failed extends Pick<DeliveryRow, 'id' | 'template' | 'createdAt'> {
  leadId: number;
  reason: string;
  /** The answer of a mail server that refused it. */
  refusedWith: string | null;
  address: string;
}

/**
 * Judges again the emails to providers that 1.0.0 failed for a year because an address was refused as unknown, had
 * bounced or was reported. Only a code that says so marks the address, which is tried at once. After 72 hours: a task.
 */
export async function judgeBounced(tx: Queryable, now: Date): Promise<void> {
  const failed = await listFailed(tx, now);
  if (failed.length === 0) return;
  // All at once, by ascending id: the addresses below are in no order.
  await lockLeadsByDelivery(
    tx,
    failed.map(({ id }) => id),
  );
  for (const [address, list] of Map.groupBy(failed, (row) => row.address))
    await judge(tx, { address, list, now });
}

async function listFailed(tx: Queryable, now: Date): Promise<Failed[]> {
  const { id, leadId, providerId, channel, template, state, reason, createdAt } = deliveries;
  const isOfLead = and(eq(leads.providerId, providerId), isNull(leads.deletedAt), isNull(leads.erasedAt));
  const later = sql`(select from deliveries later where later.lead_id = ${leadId} and later.channel = ${channel}
    and later.template = ${template} and later.created_at > ${createdAt})`;
  // What the server said, if it refused the email: 1.0.0 looked at the first three digits only.
  const refusedWith = sql<string | null>`(select case when a.status like 'SMTP 5%' then a.answer end
    from delivery_attempts a where a.delivery_id = ${id} order by a.id desc limit 1)`;
  const rows = await tx
    .select({
      refusedWith,
      id,
      leadId: leads.id,
      template,
      createdAt,
      reason,
      address: markedAddress(providers.email),
    })
    .from(deliveries)
    .innerJoin(leads, eq(leads.id, leadId))
    .innerJoin(providers, eq(providers.id, providerId))
    .where(
      and(
        eq(state, 'failed'),
        eq(channel, 'provider-email'),
        gt(createdAt, new Date(now.getTime() - rematchDaysMax * dayMs)),
        or(
          inArray(reason, Object.values(unreachableReasons)),
          like(reason, `${bouncedStart}%`),
          sql`${refusedWith} ~ '\\m5\\.(1\\.(1|2|3|6|10)|2\\.1)\\M'`,
        ),
        // This message's content was refused.
        sql`${reason} !~ '\\m5\\.6\\.'`,
        or(ne(template, 'lead'), isOfLead),
        sql`not exists ${later}`,
      ),
    )
    .orderBy(createdAt, id)
    .limit(batchSize);
  return rows.flatMap((row) => (row.reason === null ? [] : [{ ...row, reason: row.reason }]));
}

function getCode({ reason, refusedWith }: Failed): string | null {
  return parseEnhancedCode(reason) ?? parseEnhancedCode(refusedWith ?? '');
}

async function judge(
  tx: Queryable,
  { address, list, now }: { address: string; list: readonly Failed[]; now: Date },
): Promise<void> {
  const isComplaint = list.some(({ reason }) => reason === unreachableReasons.complaint);
  const refusal = list.findLast((row) => marksUnreachable(getCode(row)));
  const waited = await holdFailed(tx, {
    rows: list,
    now,
    complaintReason: isComplaint ? complaintReason : null,
  });
  if (isComplaint)
    await markAddress(tx, { address, cause: 'complaint', code: null, reason: complaintReason, now });
  else if (refusal !== undefined) {
    const said = { code: getCode(refusal), reason: toSentence(refusal.reason) };
    const mark = await markAddress(tx, { address, cause: 'bounce', ...said, now });
    if (mark.cause !== 'complaint' && mark.acceptedAt === null)
      await updateMark(tx, mark, { nextTrialAt: now });
  }
  await openLeadTasks(tx, { kind: 'not-reached', leadIds: waited, now });
}
