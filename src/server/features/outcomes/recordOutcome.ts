import { and, desc, eq, isNotNull, isNull, type SQL } from 'drizzle-orm';
import type { LeadOutcome } from '#shared/leads/leadOutcomes.ts';
import type { Queryable } from '#server/db/connect.ts';
import { leadOutcomes, leads, outcomeChoices } from '#server/db/schema/index.ts';
import { AppError, notFound } from '#server/errors.ts';
import { type AuditActor, recordAudit } from '../audit/audit.ts';
import type { LeadAction } from '../leads/changes/leadChanges.ts';
import { leadOutcomeReported } from '../leads/leadEvents.ts';
import { setLeadOutcome } from '../leads/changes/leadOutcomes.ts';
import { allows } from '../leads/leadStates.ts';
import { rematchLeads } from '../leads/changes/moveLeads.ts';
import { listRefusers, mayBeRematched, type RematchServices } from '../leads/changes/rematch.ts';
import { type Match, matchAgain } from '../matching/match.ts';
import { recordEvents } from '../webhooks/recordEvents.ts';
import { type LockedLead, lockLeads } from '../outbox/leadStatus.ts';

/** The links of one message to a provider about a lead. */
export interface MessageLinks {
  leadId: number;
  providerId: number;
}

/** Presses on the pages behind the links. */
export function isChoiceOf({ leadId, providerId }: MessageLinks): SQL | undefined {
  return and(eq(outcomeChoices.leadId, leadId), eq(outcomeChoices.providerId, providerId));
}

/** Whether the provider returned the lead and the return hasn't taken effect yet. */
export async function hasPendingReturn(db: Queryable, links: MessageLinks): Promise<boolean> {
  return (
    (await db.$count(outcomeChoices, and(isChoiceOf(links), isNotNull(outcomeChoices.takesEffectAt)))) > 0
  );
}

/** Ends pending returns: they took effect, or another choice replaces them. */
export async function dropReturns(tx: Queryable, links: MessageLinks): Promise<void> {
  await tx
    .update(outcomeChoices)
    .set({ takesEffectAt: null })
    .where(and(isChoiceOf(links), isNotNull(outcomeChoices.takesEffectAt)));
}

/** Locks a lead until the transaction ends. Null for a deleted or unknown lead. */
export async function lockLead(tx: Queryable, id: number): Promise<LockedLead | null> {
  const [lead] = await lockLeads(tx, and(eq(leads.id, id), allows('report')));
  return lead ?? null;
}
export type ReportedLead = LockedLead & { providerId: number };

interface Report {
  lead: ReportedLead;
  outcome: LeadOutcome;
  actor: AuditActor;
  ip: string | null;
  identityKey: Buffer;
  /** When it was reported; now if left out. */
  at?: Date;
}

/** Records an outcome, unless it is the latest. A lead outside the provider's area moves to another, or to none. */
export async function recordOutcome(
  tx: Queryable,
  services: RematchServices,
  { lead, outcome, actor, ip, identityKey, at = services.now() }: Report,
): Promise<void> {
  if (lead.outcome === outcome) return;
  const { id: leadId, providerId } = lead;
  await tx.insert(leadOutcomes).values({ leadId, providerId, outcome, by: actor.name, at });
  await setLeadOutcome(tx, leadId, outcome);
  // Before the lead may move: the event names the provider that reported.
  await recordEvents(tx, leadOutcomeReported(lead, outcome));
  const subject = { kind: 'lead', id: leadId };
  await recordAudit(tx, { actor, ip, action: 'lead.outcome', subject, detail: { outcome, providerId } });
  if (outcome === 'wrong-area') await returnLead(tx, services, { lead, identityKey });
}

const notMatched: Match = {
  providerId: null,
  method: 'none',
  reason:
    'Not matched again: it is quarantined, or consent to contact its author is missing, withdrawn or older than 90 days.',
  distanceMiles: null,
};

/**
 * Moves a lead, which the transaction holds locked, from the provider that reported it outside its area to the nearest
 * other one within reach that has not reported so. If there is none, or the person must not be contacted, the lead
 * moves to none.
 */
async function returnLead(
  tx: Queryable,
  services: RematchServices,
  { lead, identityKey }: { lead: LockedLead; identityKey: Buffer },
): Promise<void> {
  const { config, zipTable, now } = services;
  const { zip5, zipCode } = lead;
  const [free] = await tx
    .select({ id: leads.id })
    .from(leads)
    .where(and(eq(leads.id, lead.id), mayBeRematched({ now: now(), identityKey })));
  const except = [...(await listRefusers(tx, [lead.id])).values()].flat();
  const radiusMiles = config.matchRadiusMiles;
  const match =
    free === undefined ? notMatched : await matchAgain(tx, { zip5, zipCode, radiusMiles, zipTable, except });
  const what = match.providerId === null ? 'Returned by' : 'Rematched after';
  const reason = `${what} provider ${lead.providerId}: wrong area. ${match.reason}`;
  await rematchLeads(tx, services, [{ lead, match: { ...match, reason } }]);
}

/**
 * Records what a provider reported to a staff member. Throws NOT_FOUND 'Lead not found', also for a deleted lead, and
 * UNPROCESSABLE_CONTENT for a lead without a provider.
 */
export async function recordByStaff(
  { services, actor, ip }: LeadAction & { services: RematchServices },
  leadId: number,
  outcome: LeadOutcome,
): Promise<void> {
  const { key: identityKey } = await services.dataKeys.current('identity');
  return services.db.transaction(async (tx) => {
    const lead = await lockLead(tx, leadId);
    if (lead === null) throw notFound('Lead');
    const { providerId } = lead;
    if (providerId === null)
      throw new AppError('UNPROCESSABLE_CONTENT', 'No provider has this lead that could tell of it.');
    await dropReturns(tx, { leadId, providerId });
    await recordOutcome(tx, services, { lead: { ...lead, providerId }, outcome, actor, ip, identityKey });
  });
}

/** A lead as a provider's link shows it: open if it has the lead, else returned by it, moved to another, or gone. */
type OutcomePageState =
  | {
      state: 'open';
      firstName: string;
      zipCode: string;
      outcome: LeadOutcome | null;
      /** The outcome is a return that hasn't taken effect yet. */
      isPending: boolean;
    }
  | { state: 'returned' | 'moved' | 'gone' };

export async function getOutcomePageState(
  db: Queryable,
  { leadId, providerId }: MessageLinks,
): Promise<OutcomePageState> {
  const [lead] = await db
    .select({
      providerId: leads.providerId,
      firstName: leads.firstName,
      zipCode: leads.zipCode,
      outcome: leads.outcome,
    })
    .from(leads)
    .where(and(eq(leads.id, leadId), isNull(leads.deletedAt)));
  if (lead === undefined) return { state: 'gone' };
  const { firstName, zipCode, outcome } = lead;
  if (lead.providerId === providerId) {
    const isPending = await hasPendingReturn(db, { leadId, providerId });
    return { state: 'open', firstName, zipCode, outcome: isPending ? 'wrong-area' : outcome, isPending };
  }
  const [last] = await db
    .select({ outcome: leadOutcomes.outcome })
    .from(leadOutcomes)
    .where(and(eq(leadOutcomes.leadId, leadId), eq(leadOutcomes.providerId, providerId)))
    .orderBy(desc(leadOutcomes.id))
    .limit(1);
  return { state: last?.outcome === 'wrong-area' ? 'returned' : 'moved' };
}
