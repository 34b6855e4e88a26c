import type { Database, Queryable } from '#server/db/connect.ts';
import type { AddressMark, DeliveryRow } from '#server/db/schema/index.ts';
import { letThrough, postponeHold } from '../outbox/unreachableHolds.ts';
import type { HeldResult, DeliveryInput, DeliveryResult, EndedAttempt } from '../outbox/types.ts';
import { openLeadTasks } from '../suppression/staffTasks.ts';
import {
  complaintReason,
  findMark,
  isOver,
  lockMark,
  nextTrialAt,
  paceMs,
  updateMark,
  markAddress,
  recordAccepted,
  releaseAt,
} from './addressMarks.ts';
import type { UnreachableCause } from '#shared/admin/adminLeads.ts';
import { parseEnhancedCode, marksUnreachable } from '../outbox/refusals.ts';

interface RequestedEmail {
  delivery: Pick<DeliveryRow, 'id' | 'leadId' | 'ignoresUnreachable'>;
  /** The provider's, as typed. */
  address: string;
  now: Date;
}

/** Whether an email to a provider may be sent now. `isMarked`: its address is marked, so the result matters. */
export type Admission = { kind: 'granted'; isMarked: boolean } | { kind: 'held'; result: HeldResult };

const granted: Admission = { kind: 'granted', isMarked: false };

/**
 * Asks whether an email to a provider may be sent now. To a marked address, only those leave that staff retry, that try
 * the address, or, after one was accepted, one new lead an hour. Exact across all processes: the mark is locked.
 */
export async function admitEmail(db: Database, email: RequestedEmail): Promise<Admission> {
  if ((await findMark(db, email.address)) === null) return granted;
  return db.transaction(async (tx) => {
    const mark = await lockMark(tx, email.address);
    return mark === null || isOver(mark, email.now) ? granted : admitMarked(tx, mark, email);
  });
}

async function admitMarked(
  tx: Queryable,
  mark: AddressMark,
  { delivery, now }: RequestedEmail,
): Promise<Admission> {
  const isComplaint = mark.cause === 'complaint';
  if (isComplaint && delivery.leadId !== null)
    await openLeadTasks(tx, { kind: 'not-reached', leadIds: [delivery.leadId], now });
  if (isComplaint) return { kind: 'held', result: heldResult(complaintReason, null) };
  const isFree = delivery.ignoresUnreachable || (await takeTurn(tx, mark, now));
  if (!isFree) return { kind: 'held', result: heldResult(heldReason(mark), turnAt(mark)) };
  // Its retries are free too.
  if (!delivery.ignoresUnreachable) await letThrough(tx, delivery.id);
  return { kind: 'granted', isMarked: true };
}

/** Whether an email that arrives now is the one that tries the address, or the hour's one. */
async function takeTurn(tx: Queryable, mark: AddressMark, now: Date): Promise<boolean> {
  const dueAt = turnAt(mark);
  if (dueAt !== null && dueAt > now) return false;
  const change =
    mark.acceptedAt === null ? { nextTrialAt: nextTrialAt(mark.since, now) } : { lastSentAt: now };
  await updateMark(tx, mark, change);
  return true;
}

/** When the next email may leave: null, now. */
function turnAt({ acceptedAt, nextTrialAt: trialAt, lastSentAt }: AddressMark): Date | null {
  if (acceptedAt === null) return trialAt;
  return lastSentAt === null ? null : new Date(lastSentAt.getTime() + paceMs);
}

/** Why an email to a marked address is held. */
function heldReason({ code }: Pick<AddressMark, 'code'>): string {
  const said = code === null ? '' : ` (${code})`;
  return `The clinic’s mailbox refuses email${said}. It’s tried again by itself.`;
}

function heldResult(reason: string, nextAttemptAt: Date | null): HeldResult {
  return { outcome: 'held', holdCause: 'unreachable', reason, nextAttemptAt };
}

/** Marks an address that 1.0.0 listed because its provider reported an email as spam. */
export async function adoptComplaint(
  db: Database,
  { address, now }: { address: string; now: Date },
  findListed: (address: string) => Promise<UnreachableCause | null>,
): Promise<void> {
  if ((await findListed(address)) !== 'complaint' || (await findMark(db, address)) !== null) return;
  await db.transaction((tx) =>
    markAddress(tx, { address, cause: 'complaint', code: null, reason: complaintReason, now }),
  );
}

/** The result of sending an email to a provider: whether its address can't be reached, or a marked one accepted it. */
export function judgeSent(
  result: DeliveryResult,
  { isMarked }: Extract<Admission, { kind: 'granted' }>,
): DeliveryResult {
  if (result.outcome === 'delivered') return isMarked ? { ...result, isMarked } : result;
  if (result.outcome !== 'failed' || result.refusal !== 'recipient') return result;
  return marksUnreachable(parseEnhancedCode(result.answer ?? ''))
    ? { ...result, isUnreachable: true }
    : result;
}

/** What an attempt says about the provider's address, in the transaction that records it. */
export async function recordReach(
  tx: Queryable,
  { input, result, now }: EndedAttempt<DeliveryInput>,
): Promise<void> {
  const { provider, lead, delivery } = input;
  if (provider === null) return;
  const address = provider.email;
  if (result.outcome === 'delivered') {
    if (result.isMarked === true) await recordAccepted(tx, address, now);
    return;
  }
  const code = parseEnhancedCode(result.answer ?? '');
  if (result.isUnreachable === true) {
    const mark = await markAddress(tx, { address, cause: 'bounce', code, reason: result.reason, now });
    await postponeHold(tx, delivery.id, releaseAt(mark));
  } else if (result.refusal === 'recipient' && code?.startsWith('5.6.') === true)
    await openLeadTasks(tx, { kind: 'message-refused', leadIds: [lead.id], now });
}
