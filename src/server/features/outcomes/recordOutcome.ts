import { and, desc, eq, isNull } from 'drizzle-orm';
import type { LeadOutcome } from '#shared/leads/leadOutcomes.ts';
import type { Queryable } from '#server/db/connect.ts';
import { leadOutcomes, leads } from '#server/db/schema/index.ts';
import { AppError, notFound } from '#server/errors.ts';
import type { StaffAction } from '../leads/leadChanges.ts';
import { leadOutcomeReported } from '../leads/leadEvents.ts';
import { recordEvents } from '../webhooks/recordEvents.ts';
import { type AuditActor, recordAudit } from '../audit/audit.ts';
import { rematchColumns } from '../leads/reassignLeads.ts';
import type { RematchServices } from '../leads/rematchRules.ts';
import { returnLead } from './returnLead.ts';

/** A lead that a clinic tells of, held until the transaction ends; deleted ones are nobody's. */
async function lockLead(tx: Queryable, id: number) {
  const [lead] = await tx
    .select({ ...rematchColumns, outcome: leads.outcome })
    .from(leads)
    .where(and(eq(leads.id, id), isNull(leads.deletedAt)))
    .for('update');
  return lead ?? null;
}
type HeldLead = NonNullable<Awaited<ReturnType<typeof lockLead>>>;

interface Note {
  lead: HeldLead & { providerId: number };
  outcome: LeadOutcome;
  actor: AuditActor;
  ip: string | null;
  identityKey: Buffer;
}

/** Writes down what came of a lead, unless that is what was told last. A lead in the wrong area goes on to another clinic, or to none. */
async function note(
  tx: Queryable,
  services: RematchServices,
  { lead, outcome, actor, ip, identityKey }: Note,
): Promise<void> {
  if (lead.outcome === outcome) return;
  const { id: leadId, providerId } = lead;
  await tx.insert(leadOutcomes).values({ leadId, providerId, outcome, by: actor.name, at: services.now() });
  await tx.update(leads).set({ outcome }).where(eq(leads.id, leadId));
  // Before the lead may move: the event names the provider that reported.
  await recordEvents(tx, leadOutcomeReported(lead, outcome));
  const subject = { kind: 'lead', id: leadId };
  await recordAudit(tx, { actor, ip, action: 'lead.outcome', subject, detail: { outcome, providerId } });
  if (outcome === 'wrong-area') await returnLead(tx, services, { lead, identityKey });
}

export interface ProviderNote {
  leadId: number;
  providerId: number;
  outcome: LeadOutcome;
  ip: string;
}

/** Notes what a clinic tells by its link. Of a lead that isn't the clinic's any more nothing is noted: `findStanding` says what to answer. */
export async function recordByProvider(
  services: RematchServices,
  { leadId, providerId, outcome, ip }: ProviderNote,
): Promise<void> {
  const { key: identityKey } = await services.dataKeys.current('identity');
  return services.db.transaction(async (tx) => {
    const lead = await lockLead(tx, leadId);
    if (lead === null || lead.providerId !== providerId) return;
    const actor = { kind: 'visitor', name: 'Clinic' } as const;
    const report = { lead: { ...lead, providerId }, outcome, actor, ip, identityKey };
    await note(tx, services, report);
  });
}

/**
 * Notes what the clinic told a staff member. Throws NOT_FOUND 'Lead not found', also for a deleted one, and UNPROCESSABLE_CONTENT for a lead that no
 * clinic has.
 */
export async function recordByStaff(
  { services, actor, ip }: StaffAction & { services: RematchServices },
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
    await note(tx, services, { lead: { ...lead, providerId }, outcome, actor, ip, identityKey });
  });
}

/** How a clinic stands to a lead: it has it, gave it back, has it no more, or it is there no more. */
export type Standing =
  | { state: 'open'; firstName: string; zipCode: string; outcome: LeadOutcome | null }
  | { state: 'returned' | 'moved' | 'gone' };

export async function findStanding(
  db: Queryable,
  { leadId, providerId }: { leadId: number; providerId: number },
): Promise<Standing> {
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
  if (lead.providerId === providerId) return { state: 'open', firstName, zipCode, outcome };
  const [last] = await db
    .select({ outcome: leadOutcomes.outcome })
    .from(leadOutcomes)
    .where(and(eq(leadOutcomes.leadId, leadId), eq(leadOutcomes.providerId, providerId)))
    .orderBy(desc(leadOutcomes.id))
    .limit(1);
  return { state: last?.outcome === 'wrong-area' ? 'returned' : 'moved' };
}
