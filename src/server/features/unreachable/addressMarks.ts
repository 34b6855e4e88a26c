import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { UnreachableCause } from '#shared/admin/adminLeads.ts';
import { dayMs, hourMs } from '#shared/formats/time.ts';
import type { Queryable } from '#server/db/connect.ts';
import { type AddressMark, unreachableProviders } from '#server/db/schema/index.ts';
import { markedAddress, reportProviders } from './listUnreachable.ts';

/** After an email was accepted, the mark lasts this long: a bounce may still follow. */
const probationMs = dayMs;
/** Then, one new lead leaves in this time. */
export const paceMs = hourMs;
/** When a held email tries the address, counted from the mark; then daily. */
const firstTrialsMs = [hourMs, 6 * hourMs] as const;

/** Why emails are held after a complaint. */
export const complaintReason = 'The clinic reported an email as spam. Only an owner can send to it again.';

export function toSentence(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}

/** The next time after `now` at which a marked address is tried. */
export function nextTrialAt(since: Date, now: Date): Date {
  const elapsedMs = now.getTime() - since.getTime();
  const [, lastMs] = firstTrialsMs;
  const first = firstTrialsMs.find((ms) => ms > elapsedMs);
  const ms = first ?? lastMs + (Math.floor((elapsedMs - lastMs) / dayMs) + 1) * dayMs;
  return new Date(since.getTime() + ms);
}

export async function findMark(db: Queryable, address: string): Promise<AddressMark | null> {
  const [mark] = await db.select().from(unreachableProviders).where(isAddress(address));
  return mark ?? null;
}

/** The same, locked until the transaction ends. Marks are locked after leads and deliveries. */
export async function lockMark(tx: Queryable, address: string): Promise<AddressMark | null> {
  const [mark] = await tx.select().from(unreachableProviders).where(isAddress(address)).for('update');
  return mark ?? null;
}

function isAddress(address: string): SQL {
  return eq(unreachableProviders.address, markedAddress(address));
}

export interface Refusal {
  /** The provider's, as typed. */
  address: string;
  cause: UnreachableCause;
  code: string | null;
  /** For staff, without contact details. */
  reason: string;
  now: Date;
  /** When the email that bounced was accepted; null: it was refused. */
  acceptedAt?: Date | null;
}

/**
 * Marks an address as unreachable, or what is known of a marked one. Its schedule counts from the first refusal. An
 * email that bounced ends the probation only if it was sent within it. A complaint stays one.
 */
export async function markAddress(tx: Queryable, refusal: Refusal): Promise<AddressMark> {
  const { address, cause, code, reason, now, acceptedAt = null } = refusal;
  const nextTrial = (since: Date): Date | null => (cause === 'complaint' ? null : nextTrialAt(since, now));
  // The update changes nothing: it locks a row that another transaction may be about to remove.
  const [found] = await tx
    .insert(unreachableProviders)
    .values({
      address: markedAddress(address),
      ...{ cause, code, reason, since: now, nextTrialAt: nextTrial(now) },
    })
    .onConflictDoUpdate({ target: unreachableProviders.address, set: { address: sql`excluded.address` } })
    .returning({ ...getTableColumns(unreachableProviders), isNew: sql<boolean>`xmax = 0` });
  if (found === undefined) throw new Error('a mark was not stored');
  const { isNew, ...before } = found;
  const isOlder = acceptedAt !== null && before.acceptedAt !== null && acceptedAt < before.acceptedAt;
  const isKnown = isNew || (cause !== 'complaint' && (before.cause === 'complaint' || isOlder));
  const change = {
    cause,
    code,
    reason,
    nextTrialAt: nextTrial(before.since),
    acceptedAt: null,
    lastSentAt: null,
  };
  const mark = isKnown ? before : await updateMark(tx, before, change);
  await reportProviders(tx, mark, now);
  return mark;
}

/** Changes a mark that the caller has locked. */
export async function updateMark(
  tx: Queryable,
  { address }: Pick<AddressMark, 'address'>,
  change: Partial<Omit<AddressMark, 'address' | 'since'>>,
): Promise<AddressMark> {
  const [mark] = await tx
    .update(unreachableProviders)
    .set(change)
    .where(eq(unreachableProviders.address, address))
    .returning();
  if (mark === undefined) throw new Error('a locked mark was removed');
  return mark;
}

/** An email to a marked address was accepted: its probation begins, unless it has. */
export async function recordAccepted(tx: Queryable, address: string, now: Date): Promise<void> {
  const mark = await lockMark(tx, address);
  if (mark === null || mark.cause === 'complaint' || mark.acceptedAt !== null) return;
  await updateMark(tx, mark, { acceptedAt: now });
}

export async function removeMark(tx: Queryable, { address }: Pick<AddressMark, 'address'>): Promise<void> {
  await tx.delete(unreachableProviders).where(eq(unreachableProviders.address, address));
}

/** When what is held for a mark is tried; null: not by itself. */
export function releaseAt({ acceptedAt, nextTrialAt: trialAt }: AddressMark): Date | null {
  return acceptedAt === null ? trialAt : new Date(acceptedAt.getTime() + probationMs);
}

/** Whether the mark's probation ended without a bounce. */
export function isOver({ acceptedAt }: AddressMark, now: Date): boolean {
  return acceptedAt !== null && now.getTime() - acceptedAt.getTime() >= probationMs;
}
