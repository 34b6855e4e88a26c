import { and, gte, inArray, isNotNull } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { consentWithdrawals, type ConsentWithdrawalRow } from '#server/db/schema/index.ts';

type Withdrawal = Pick<ConsentWithdrawalRow, 'how' | 'by' | 'ip' | 'at'>;

/**
 * Records that the consents of these leads were withdrawn, once for each lead. `since`: earlier withdrawals don't
 * count, as the suppression that they led to was lifted; without it, each one counts. Returns the leads that it was
 * recorded for.
 */
export async function insertWithdrawals(
  tx: Queryable,
  leadIds: readonly number[],
  { since, ...withdrawal }: Withdrawal & { since?: Date | undefined },
): Promise<number[]> {
  if (leadIds.length === 0) return [];
  const { leadId, at } = consentWithdrawals;
  const earlier = await tx
    .select({ leadId })
    .from(consentWithdrawals)
    .where(and(inArray(leadId, [...leadIds]), since === undefined ? undefined : gte(at, since)));
  const withdrawn = new Set(earlier.map((row) => row.leadId));
  const left = leadIds.filter((id) => !withdrawn.has(id));
  if (left.length > 0)
    await tx.insert(consentWithdrawals).values(left.map((id) => ({ ...withdrawal, leadId: id })));
  return left;
}

/** Removes the addresses that withdrawals of erased leads came from. */
export async function eraseWithdrawalAddresses(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  const { leadId, ip } = consentWithdrawals;
  await tx
    .update(consentWithdrawals)
    .set({ ip: null })
    .where(and(inArray(leadId, [...leadIds]), isNotNull(ip)));
}
