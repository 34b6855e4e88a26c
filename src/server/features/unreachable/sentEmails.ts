import type { UnreachableCause } from '#shared/admin/adminLeads.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { parseEnhancedCode, marksUnreachable } from '../outbox/refusals.ts';
import type { DeliveryInput, DeliveryResult, EndedAttempt } from '../outbox/types.ts';
import { postponeHold } from '../outbox/unreachableHolds.ts';
import { openLeadTasks } from '../suppression/staffTasks.ts';
import { complaintReason, findMark, markAddress, recordAccepted, releaseAt } from './addressMarks.ts';
import type { Admission } from './admitEmail.ts';

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
  const { provider, lead, deliveryId } = input;
  if (provider === null) return;
  const address = provider.email;
  if (result.outcome === 'delivered') {
    if (result.isMarked === true) await recordAccepted(tx, address, now);
    return;
  }
  const code = parseEnhancedCode(result.answer ?? '');
  if (result.isUnreachable === true) {
    const mark = await markAddress(tx, { address, cause: 'bounce', code, reason: result.reason, now });
    await postponeHold(tx, deliveryId, releaseAt(mark));
  } else if (result.refusal === 'recipient' && code?.startsWith('5.6.') === true)
    await openLeadTasks(tx, { kind: 'message-refused', leadIds: [lead.id], now });
}
