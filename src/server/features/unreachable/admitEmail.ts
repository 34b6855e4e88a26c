import type { Database, Queryable } from '#server/db/connect.ts';
import type { AddressMark, DeliveryRow } from '#server/db/schema/index.ts';
import { letThrough } from '../outbox/unreachableHolds.ts';
import type { HeldResult } from '../outbox/types.ts';
import { openLeadTasks } from '../suppression/staffTasks.ts';
import {
  complaintReason,
  findMark,
  isOver,
  lockMark,
  nextTrialAt,
  paceMs,
  updateMark,
} from './addressMarks.ts';

export interface RequestedEmail {
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
