import { and, eq, gt, isNotNull, isNull, lt } from 'drizzle-orm';
import type { LeadOutcome } from '#shared/leads/leadOutcomes.ts';
import type { Queryable } from '#server/db/connect.ts';
import { outcomeChoices } from '#server/db/schema/index.ts';

/** The links of one message to a provider about a lead. */
export interface MessageLinks {
  leadId: number;
  providerId: number;
}

interface Choice extends MessageLinks {
  outcome: LeadOutcome;
  at: Date;
  ip: string;
  takesEffectAt: Date | null;
}

function isOf({ leadId, providerId }: MessageLinks) {
  return and(eq(outcomeChoices.leadId, leadId), eq(outcomeChoices.providerId, providerId));
}

/** Stores a press on the page behind a link. */
export async function insertChoice(tx: Queryable, choice: Choice): Promise<void> {
  await tx.insert(outcomeChoices).values(choice);
}

/** The outcomes that were pressed after a time. */
export async function listChoices(tx: Queryable, links: MessageLinks, after: Date): Promise<LeadOutcome[]> {
  const rows = await tx
    .selectDistinct({ outcome: outcomeChoices.outcome })
    .from(outcomeChoices)
    .where(and(isOf(links), gt(outcomeChoices.at, after)));
  return rows.map(({ outcome }) => outcome);
}

/** Whether the provider returned the lead and the return hasn't taken effect yet. */
export async function hasPendingReturn(db: Queryable, links: MessageLinks): Promise<boolean> {
  const [pending] = await db
    .select({ id: outcomeChoices.id })
    .from(outcomeChoices)
    .where(and(isOf(links), isNotNull(outcomeChoices.takesEffectAt)))
    .limit(1);
  return pending !== undefined;
}

/** Ends pending returns: they took effect, or another choice replaces them. */
export async function dropReturns(tx: Queryable, links: MessageLinks): Promise<void> {
  await tx
    .update(outcomeChoices)
    .set({ takesEffectAt: null })
    .where(and(isOf(links), isNotNull(outcomeChoices.takesEffectAt)));
}

/** Deletes choices from before a time that wait for nothing. */
export async function deleteChoices(tx: Queryable, before: Date): Promise<void> {
  await tx
    .delete(outcomeChoices)
    .where(and(lt(outcomeChoices.at, before), isNull(outcomeChoices.takesEffectAt)));
}
