import { and, desc, eq, isNotNull, isNull, type SQL, asc, gt, lt, lte, ne } from 'drizzle-orm';
import { outcomeUndoSeconds } from '#shared/admin/leadActions.ts';
import { type LeadOutcome, returnDelayMs } from '#shared/leads/leadOutcomes.ts';
import type { Queryable } from '#server/db/connect.ts';
import { leadOutcomes, leads, outcomeChoices } from '#server/db/schema/index.ts';
import { AppError, notFound } from '#server/errors.ts';
import { type AuditActor, recordAudit } from '../audit/audit.ts';
import type { LeadAction } from '../leads/changes/leadChanges.ts';
import { leadOutcomeReported, leadUpdated } from '../leads/leadEvents.ts';
import { setLeadOutcome } from '../leads/changes/leadOutcomes.ts';
import { allows } from '../leads/leadStates.ts';
import { rematchLeads } from '../leads/changes/moveLeads.ts';
import { listRefusers, mayBeRematched, type RematchServices } from '../leads/changes/rematch.ts';
import { type Match, matchAgain } from '../matching/match.ts';
import { recordEvents } from '../webhooks/recordEvents.ts';
import { type LockedLead, lockLeads } from '../outbox/leadStatus.ts';
import { minuteMs } from '#shared/formats/time.ts';

/** The links of one message to a provider about a lead. */
interface MessageLinks {
  leadId: number;
  providerId: number;
}

/** Presses on the pages behind the links. */
function isChoiceOf({ leadId, providerId }: MessageLinks): SQL | undefined {
  return and(eq(outcomeChoices.leadId, leadId), eq(outcomeChoices.providerId, providerId));
}

/** Whether the provider returned the lead and the return hasn't taken effect yet. */
async function hasPendingReturn(db: Queryable, links: MessageLinks): Promise<boolean> {
  return (
    (await db.$count(outcomeChoices, and(isChoiceOf(links), isNotNull(outcomeChoices.takesEffectAt)))) > 0
  );
}

/** Ends pending returns: they took effect, or another choice replaces them. */
async function dropReturns(tx: Queryable, links: MessageLinks): Promise<void> {
  await tx
    .update(outcomeChoices)
    .set({ takesEffectAt: null })
    .where(and(isChoiceOf(links), isNotNull(outcomeChoices.takesEffectAt)));
}

/** Locks a lead until the transaction ends. Null for a deleted or unknown lead. */
async function lockLead(tx: Queryable, id: number): Promise<LockedLead | null> {
  const [lead] = await lockLeads(tx, and(eq(leads.id, id), allows('report')), 'update');
  return lead ?? null;
}
type ReportedLead = LockedLead & { providerId: number };

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
async function recordOutcome(
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
 * Moves a locked lead from the provider that reported it outside its area to the nearest other in reach that hasn't; to
 * none without one, or if the person must not be contacted.
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
 * Records a report to staff. Throws NOT_FOUND (also for a deleted lead), UNPROCESSABLE_CONTENT without a provider.
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

/** A person doesn't report two outcomes of a lead within this time; a scanner that presses every link does. */
const scanMs = minuteMs;

const clinic = { kind: 'visitor', name: 'Clinic' } as const;

interface ProviderReport extends MessageLinks {
  outcome: LeadOutcome;
  ip: string;
}

/**
 * Records what a provider reports by its link, if it still has the lead. Two different outcomes within a minute record
 * none: a scanner pressed the links. A return takes effect after five minutes, unless another choice replaces it.
 * Returns whether it was such a contradiction. `getOutcomePageState` says what to answer otherwise.
 */
export async function recordByProvider(
  services: RematchServices,
  { outcome, ip, ...links }: ProviderReport,
): Promise<{ contradicts: boolean }> {
  const { key: identityKey } = await services.dataKeys.current('identity');
  return services.db.transaction(async (tx) => {
    const locked = await lockLead(tx, links.leadId);
    if (locked === null || locked.providerId !== links.providerId) return { contradicts: false };
    const lead = { ...locked, providerId: links.providerId };
    const at = services.now();
    const after = new Date(at.getTime() - scanMs);
    const isRecentOther = and(
      isChoiceOf(links),
      gt(outcomeChoices.at, after),
      ne(outcomeChoices.outcome, outcome),
    );
    const contradicts = (await tx.$count(outcomeChoices, isRecentOther)) > 0;
    const isReturned = await hasPendingReturn(tx, links);
    const isReturn = outcome === 'wrong-area' && !contradicts && !isReturned && lead.outcome !== outcome;
    const takesEffectAt = isReturn ? new Date(at.getTime() + returnDelayMs) : null;
    await tx.insert(outcomeChoices).values({ ...links, outcome, at, ip, takesEffectAt });
    if (contradicts) {
      await dropReturns(tx, links);
      await retractOutcomes(tx, lead, { after, actor: clinic, ip, reason: contradictory });
    } else if (outcome !== 'wrong-area') {
      await dropReturns(tx, links);
      await recordOutcome(tx, services, { lead, outcome, actor: clinic, ip, identityKey, at });
    }
    return { contradicts };
  });
}

const contradictory = 'Two different outcomes within a minute';
const undone = 'Undone';

interface Retraction {
  /** By this actor, later than this. */
  after: Date;
  actor: AuditActor;
  ip: string | null;
  reason: string;
}

/** Takes back what an actor reported after a time; an earlier outcome counts again. */
async function retractOutcomes(
  tx: Queryable,
  lead: ReportedLead,
  { after, actor, ip, reason }: Retraction,
): Promise<void> {
  const { id: leadId, providerId } = lead;
  const ofProvider = and(eq(leadOutcomes.leadId, leadId), eq(leadOutcomes.providerId, providerId));
  const { count: retracted } = await tx
    .delete(leadOutcomes)
    .where(and(ofProvider, eq(leadOutcomes.by, actor.name), gt(leadOutcomes.at, after)));
  if (retracted === 0) return;
  const [last] = await tx
    .select({ outcome: leadOutcomes.outcome })
    .from(leadOutcomes)
    .where(ofProvider)
    .orderBy(desc(leadOutcomes.id))
    .limit(1);
  const outcome = last?.outcome ?? null;
  await setLeadOutcome(tx, leadId, outcome);
  await recordEvents(
    tx,
    outcome === null ? leadUpdated(lead, ['outcome']) : leadOutcomeReported(lead, outcome),
  );
  const detail = { outcome, providerId, reason };
  await recordAudit(tx, { actor, ip, action: 'lead.outcome', subject: { kind: 'lead', id: leadId }, detail });
}

/**
 * Takes back the outcome that the same person recorded a moment ago; the one before counts again. `wrong-area` isn't
 * taken back: its lead has moved. Throws NOT_FOUND 'Lead not found', CONFLICT if another outcome was reported since or
 * it is too late.
 */
export async function undoByStaff(
  { services: { db, now }, actor, ip }: LeadAction,
  leadId: number,
  outcome: LeadOutcome,
): Promise<void> {
  const tooLate = new AppError('CONFLICT', 'It’s too late to undo this outcome.');
  await db.transaction(async (tx) => {
    const lead = await lockLead(tx, leadId);
    if (lead === null) throw notFound('Lead');
    const { providerId } = lead;
    if (providerId === null || lead.outcome !== outcome) throw tooLate;
    const since = new Date(now().getTime() - outcomeUndoSeconds * 1000);
    const isOfLead = and(eq(leadOutcomes.leadId, leadId), eq(leadOutcomes.providerId, providerId));
    const [last] = await tx
      .select({ by: leadOutcomes.by, at: leadOutcomes.at })
      .from(leadOutcomes)
      .where(isOfLead)
      .orderBy(desc(leadOutcomes.id))
      .limit(1);
    if (last === undefined || last.by !== actor.name || last.at <= since) throw tooLate;
    const after = new Date(last.at.getTime() - 1);
    await retractOutcomes(tx, { ...lead, providerId }, { after, actor, ip, reason: undone });
  });
}

/** At most this many returns take effect in one round. */
const returnsPerRound = 100;

/**
 * Lets returns take effect whose time has come, each in one transaction, in any number of processes. One whose lead was
 * deleted or moved since, or has a later outcome, is dropped. Returns how many it looked at. Also deletes old choices.
 */
export async function takeDueReturns(
  services: RematchServices,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  const { db, now } = services;
  const { key: identityKey } = await services.dataKeys.current('identity');
  const due = await db
    .select()
    .from(outcomeChoices)
    .where(lte(outcomeChoices.takesEffectAt, now()))
    .orderBy(asc(outcomeChoices.takesEffectAt), asc(outcomeChoices.id))
    .limit(returnsPerRound);
  for (const { id, leadId, providerId, outcome, at, ip } of due) {
    signal.throwIfAborted();
    await db.transaction(async (tx) => {
      const lead = await lockLead(tx, leadId);
      // A process of 1.0.0 records outcomes without ending returns.
      const isLater = and(eq(leadOutcomes.leadId, leadId), gt(leadOutcomes.at, at));
      const later = await tx.$count(leadOutcomes, isLater);
      const { count: pending } = await tx
        .update(outcomeChoices)
        .set({ takesEffectAt: null })
        .where(and(eq(outcomeChoices.id, id), lte(outcomeChoices.takesEffectAt, now())));
      if (pending === 0 || later > 0 || lead?.providerId !== providerId) return;
      const returned = { ...lead, providerId };
      await recordOutcome(tx, services, { lead: returned, outcome, actor: clinic, ip, identityKey, at });
    });
  }
  const isOver = and(
    lt(outcomeChoices.at, new Date(now().getTime() - scanMs)),
    isNull(outcomeChoices.takesEffectAt),
  );
  await db.delete(outcomeChoices).where(isOver);
  return due.length;
}
