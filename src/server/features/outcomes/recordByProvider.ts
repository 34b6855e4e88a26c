import { and, asc, desc, eq, gt, isNull, lt, lte, ne } from 'drizzle-orm';
import { minuteMs } from '#shared/formats/time.ts';
import { returnDelayMs, type LeadOutcome } from '#shared/leads/leadOutcomes.ts';
import type { Queryable } from '#server/db/connect.ts';
import { leadOutcomes, outcomeChoices } from '#server/db/schema/index.ts';
import { recordAudit } from '../audit/audit.ts';
import { leadOutcomeReported, leadUpdated } from '../leads/leadEvents.ts';
import { setLeadOutcome } from '../leads/changes/leadOutcomes.ts';
import type { RematchServices } from '../leads/changes/rematch.ts';
import { recordEvents } from '../webhooks/recordEvents.ts';
import {
  dropReturns,
  hasPendingReturn,
  isChoiceOf,
  lockLead,
  type MessageLinks,
  recordOutcome,
  type ReportedLead,
} from './recordOutcome.ts';

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
    if (contradicts) await retractOutcomes(tx, lead, { after, ip });
    else if (outcome !== 'wrong-area') {
      await dropReturns(tx, links);
      await recordOutcome(tx, services, { lead, outcome, actor: clinic, ip, identityKey, at });
    }
    return { contradicts };
  });
}

/** Takes back what the provider's links recorded after a time; an earlier outcome counts again. */
async function retractOutcomes(
  tx: Queryable,
  lead: ReportedLead,
  { after, ip }: { after: Date; ip: string },
): Promise<void> {
  const { id: leadId, providerId } = lead;
  await dropReturns(tx, { leadId, providerId });
  const ofProvider = and(eq(leadOutcomes.leadId, leadId), eq(leadOutcomes.providerId, providerId));
  const { count: retracted } = await tx
    .delete(leadOutcomes)
    .where(and(ofProvider, eq(leadOutcomes.by, clinic.name), gt(leadOutcomes.at, after)));
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
  const subject = { kind: 'lead', id: leadId };
  const detail = { outcome, providerId, reason: 'Two different outcomes within a minute' };
  await recordAudit(tx, { actor: clinic, ip, action: 'lead.outcome', subject, detail });
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
