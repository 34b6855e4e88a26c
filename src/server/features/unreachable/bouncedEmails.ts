import { minuteMs } from '#shared/formats/time.ts';
import type { MailEvent } from '#shared/leads/inboundMail.ts';
import type { DeliveryRow } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { changeAfter } from '../outbox/backoff.ts';
import { recordBounce } from '../outbox/bounce.ts';
import type { DeliveryChange } from '../outbox/deliveryStates.ts';
import { parseEnhancedCode, marksUnreachable } from '../outbox/refusals.ts';
import { postponeHold } from '../outbox/unreachableHolds.ts';
import { openLeadTasks } from '../suppression/staffTasks.ts';
import { findMark, markAddress, releaseAt, toSentence } from './addressMarks.ts';

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
 * What a bounce of an email to a provider says. A code counts more than the service's word: mailboxes that are full are
 * reported as permanent, too. Null: nothing, such as that the server still tries.
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
