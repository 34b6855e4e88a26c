import { and, asc, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { leadEvent } from '#shared/admin/leadDetail.ts';
import type { OutcomeReport } from '#shared/admin/leadActions.ts';
import { leadDetailCopy } from '#shared/admin/leadDetailCopy.ts';
import { type LeadOutcome, leadOutcomeNames } from '#shared/leads/leadOutcomes.ts';
import type { Queryable } from '#server/db/connect.ts';
import { leadOutcomes, leads, outcomeChoices, providers } from '#server/db/schema/index.ts';

/** Sets a lead's latest outcome, or null, in the transaction that stores or retracts its provider's report. */
export async function setLeadOutcome(
  tx: Queryable,
  leadId: number,
  outcome: LeadOutcome | null,
): Promise<void> {
  await tx
    .update(leads)
    .set({ outcome, updatedAt: sql`now()` })
    .where(eq(leads.id, leadId));
}

/** The `outcome` for an `update leads`: the new provider's last report; unchanged for the same provider or none. */
export function outcomeAfterMove(providerId: SQL): SQL {
  return sql`case when ${providerId} is null or ${providerId} is not distinct from leads.provider_id then leads.outcome else (
    select reported.outcome from lead_outcomes reported
    where reported.lead_id = leads.id and reported.provider_id = ${providerId} order by reported.id desc limit 1) end`;
}

interface UndoneMove {
  leadId: number;
  /** Whether the lead had the same provider before. */
  isSameProvider: boolean;
  /** Before the move. */
  outcome: LeadOutcome | null;
  movedAt: Date;
}

/** The `outcome` of a lead whose move is undone: the one before, unless a newer one was reported since. */
export function outcomeAfterUndo({ leadId, isSameProvider, outcome, movedAt }: UndoneMove): SQL {
  // The move left it as it was: what is there now is the newest, also after a report was retracted.
  if (isSameProvider) return sql`${leads.outcome}`;
  return sql`coalesce((
    select reported.outcome from lead_outcomes reported
    where reported.lead_id = ${leadId} and reported.at >= ${movedAt.toISOString()}::timestamptz
    order by reported.id desc limit 1), ${outcome})`;
}

/** What providers reported about a lead, oldest first, with returns that haven't taken effect yet at the end. */
export async function listReports(db: Queryable, leadId: number): Promise<OutcomeReport[]> {
  const provider = { id: providers.id, name: providers.name };
  const rows = await db
    .select({ at: leadOutcomes.at, by: leadOutcomes.by, outcome: leadOutcomes.outcome, provider })
    .from(leadOutcomes)
    .innerJoin(providers, eq(providers.id, leadOutcomes.providerId))
    .where(eq(leadOutcomes.leadId, leadId))
    .orderBy(asc(leadOutcomes.id));
  const { at, outcome, takesEffectAt } = outcomeChoices;
  const pending = await db
    .select({ at, outcome, takesEffectAt, provider })
    .from(outcomeChoices)
    .innerJoin(providers, eq(providers.id, outcomeChoices.providerId))
    .where(and(eq(outcomeChoices.leadId, leadId), isNotNull(takesEffectAt)))
    .orderBy(asc(outcomeChoices.id));
  return [
    ...rows.map((row) => ({ ...row, at: row.at.toISOString(), takes_effect_at: null })),
    ...pending.map(({ takesEffectAt: waits, ...row }) => ({
      ...{ ...row, at: row.at.toISOString(), by: 'Clinic' },
      takes_effect_at: waits?.toISOString() ?? null,
    })),
  ];
}

/** The same for the lead's history. */
export async function listOutcomes(db: Queryable, leadId: number): Promise<z.output<typeof leadEvent>[]> {
  return (await listReports(db, leadId)).map(({ at, by, outcome, provider, takes_effect_at: waits }) => ({
    at,
    kind: 'outcome',
    by,
    detail: `${leadOutcomeNames[outcome]} (${provider.name})${waits === null ? '' : leadDetailCopy.pendingReturn}`,
  }));
}
