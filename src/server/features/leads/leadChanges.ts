import { and, asc, eq, gt, inArray, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { AuditAction } from '#shared/admin/audit.ts';
import type { QuarantineReason } from '#shared/leads/quarantine.ts';
import { dayMs } from '#shared/formats/time.ts';
import type { Queryable } from '#server/db/connect.ts';
import { consentRecords, leads, type LeadRow, overLimitLeads } from '#server/db/schema/index.ts';
import { notFound } from '#server/errors.ts';
import type { Services } from '#server/services.ts';
import { deliverToNewProvider } from './deliverToNewProvider.ts';
import { cancelLeadDeliveries, leadDeletedReason, requeueRestored } from '../outbox/cancelDeliveries.ts';
import { planDeliveries, rowsOf } from '../outbox/planDeliveries.ts';
import { insertDeliveries } from '../outbox/repeats.ts';
import { type AuditActor, recordAuditOfEach } from '../audit/audit.ts';
import { recordEvents, type NewEvent } from '../webhooks/recordEvents.ts';
import { outcomeAfterMove } from './reassignLeads.ts';
import { requestRematch } from './rematch.ts';
import { leadCreated, leadDeleted, leadMoved, leadUpdated } from './leadEvents.ts';
import { assignmentOf, assignmentTold, lockActiveProvider } from './assignment.ts';

/** How long a deleted lead can be brought back; then it is purged. */
export const undoDays = 30;

/** Who changes leads, from which address, with what. */
export interface StaffAction {
  services: Pick<Services, 'db' | 'dataKeys' | 'zipTable' | 'now' | 'log' | 'channels' | 'outbox'>;
  actor: AuditActor;
  ip: string | null;
}

const lockedColumns = {
  id: leads.id,
  zipCode: leads.zipCode,
  providerId: leads.providerId,
  matchMethod: leads.matchMethod,
  /** Without what was typed in the place of a ZIP: it may be anything, and the log keeps the reason for ever. */
  matchReason: sql<string>`replace(${leads.matchReason}, '''' || ${leads.zipCode} || '''', 'What was typed')`,
  matchDistanceMiles: leads.matchDistanceMiles,
  quarantinedAt: leads.quarantinedAt,
  quarantineReason: leads.quarantineReason,
} as const;
type LockedLead = Pick<LeadRow, keyof typeof lockedColumns>;

function idsOf(rows: readonly LockedLead[]): number[] {
  return rows.map(({ id }) => id);
}

/** Locked in the order of their numbers, so that two changes of the same leads never wait for each other. */
function lockLeads(tx: Queryable, ids: readonly number[], state: SQL | undefined): Promise<LockedLead[]> {
  return (
    tx
      .select(lockedColumns)
      .from(leads)
      .where(and(inArray(leads.id, [...ids]), state))
      .orderBy(asc(leads.id))
      // Not what a reference to the lead waits for: a withdrawal writes one while it holds deliveries that this change wants.
      .for('no key update')
  );
}

interface Change {
  action: AuditAction;
  /** Which of the leads asked for can be changed. */
  state: SQL | undefined;
  set: Partial<typeof leads.$inferInsert>;
  /** What the log is to keep of a lead as it was. */
  auditDetail?: (lead: LockedLead) => object;
  /** What integrators hear of a lead, given as it was before. */
  eventsOf: (lead: LockedLead) => NewEvent[];
  /** What follows for their deliveries. */
  deliver?: (tx: Queryable, changed: readonly LockedLead[]) => Promise<void>;
}

/** Changes those of the leads that can be, all or none, each with its line in the audit log. Returns which they were. */
async function changeLeads(
  { services, actor, ip }: StaffAction,
  ids: readonly number[],
  { action, state, set, auditDetail, eventsOf, deliver }: Change,
): Promise<number[]> {
  const ofThese = await services.db.transaction(async (tx) => {
    const found = await lockLeads(tx, ids, state);
    const changed = found.map(({ id }) => id);
    if (changed.length === 0) return changed;
    await tx.update(leads).set(set).where(inArray(leads.id, changed));
    const lines = found.map((lead) => ({
      subject: { kind: 'lead', id: lead.id },
      ...(auditDetail === undefined ? {} : { detail: auditDetail(lead) }),
    }));
    await recordAuditOfEach(tx, { actor, ip, action }, lines);
    await recordEvents(tx, found.flatMap(eventsOf));
    await deliver?.(tx, found);
    return changed;
  });
  wakeWorker(services);
  return ofThese;
}

/** What was queued has committed. */
function wakeWorker({ outbox }: StaffAction['services']): void {
  outbox.wake();
}

/**
 * Gives leads to an active clinic, all or none, each with its distance and the reason; the clinic and the CRM are auditDetail. Deleted and unknown leads are passed over; returns those
 * that were there. Throws UNPROCESSABLE_CONTENT for an inactive or unknown clinic.
 */
export async function assignLeads(
  staffAction: StaffAction,
  ids: readonly number[],
  providerId: number,
): Promise<number[]> {
  const { services, actor, ip } = staffAction;
  const assigned = await services.db.transaction(async (tx) => {
    const provider = await lockActiveProvider(tx, providerId);
    const found = await lockLeads(tx, ids, isNull(leads.deletedAt));
    const given = found.map(({ id, zipCode }) => ({
      id,
      ...assignmentOf(provider, zipCode, { by: actor.name, zipTable: services.zipTable }),
    }));
    await tx.execute(sql`
      update leads set provider_id = ${providerId}, match_method = 'manual', match_reason = given.reason, match_distance_miles = given.miles,
        outcome = ${outcomeAfterMove(sql`${providerId}::bigint`)}
      from json_to_recordset(${JSON.stringify(given)}::json) as given (id bigint, reason text, miles float8)
      where leads.id = given.id`);
    const lines = found.map((lead, index) => ({
      subject: { kind: 'lead', id: lead.id },
      detail: assignmentTold(lead, { providerId, miles: given[index]?.miles ?? null }),
    }));
    await recordAuditOfEach(tx, { actor, ip, action: 'lead.assign' }, lines);
    await recordEvents(
      tx,
      found.flatMap((lead) => leadMoved({ ...lead, providerId }, lead.providerId)),
    );
    const moved = found.filter((lead) => lead.providerId !== providerId);
    await deliverToNewProvider(tx, { services, by: actor.name, providerId }, moved);
    return found.map(({ id }) => id);
  });
  wakeWorker(services);
  return assigned;
}

/** Takes leads out of every list and delivers no more of them; `restoreLeads` brings them back for thirty days. */
export function removeLeads(staffAction: StaffAction, ids: readonly number[]): Promise<number[]> {
  const now = staffAction.services.now();
  return changeLeads(staffAction, ids, {
    action: 'lead.delete',
    state: isNull(leads.deletedAt),
    set: { deletedAt: now },
    eventsOf: leadDeleted,
    deliver: async (tx, removed) => {
      await endWaiting(tx, removed);
      await cancelLeadDeliveries(tx, idsOf(removed), { reason: leadDeletedReason, now });
    },
  });
}

/** Undoes a deletion that is no older than thirty days, never an erasure; what it called off is delivered after all. */
export function restoreLeads(staffAction: StaffAction, ids: readonly number[]): Promise<number[]> {
  const now = staffAction.services.now();
  const oldest = new Date(now.getTime() - undoDays * dayMs);
  return changeLeads(staffAction, ids, {
    action: 'lead.undo',
    state: and(isNotNull(leads.deletedAt), gt(leads.deletedAt, oldest), isNull(leads.erasedAt)),
    set: { deletedAt: null },
    eventsOf: (lead) => leadUpdated(lead, ['deleted']),
    deliver: async (tx, restored) => {
      const waiting = restored.filter(({ quarantineReason }) => quarantineReason === 'over-limit');
      if (waiting.length > 0)
        await tx.insert(overLimitLeads).values(waiting.map(({ id }) => ({ leadId: id, releaseAt: now })));
      await requeueRestored(tx, idsOf(restored), now);
      if (restored.some(isUnmatched)) await requestRematch(tx);
    },
  });
}

/** What the audit log keeps of a release: why and since when the lead was kept back, which the lead itself no longer says. */
export const releaseDetail = z.object({ reason: z.string(), quarantinedAt: z.iso.datetime() });

/** Without a provider, and not kept back from having one. */
function isUnmatched({ providerId, quarantinedAt }: LockedLead): boolean {
  return providerId === null && quarantinedAt === null;
}

/** Ends the wait of leads that are above the limit of their network. */
async function endWaiting(tx: Queryable, changed: readonly LockedLead[]): Promise<void> {
  await tx.delete(overLimitLeads).where(inArray(overLimitLeads.leadId, idsOf(changed)));
}

/** Those of the leads whose evidence names a form that was shown: anybody may have sent the others in somebody's name. */
async function withFormShown(tx: Queryable, leadIds: readonly number[]): Promise<Set<number>> {
  const rows = await tx
    .select({ leadId: consentRecords.leadId })
    .from(consentRecords)
    .where(and(inArray(consentRecords.leadId, [...leadIds]), ne(consentRecords.formKey, 'api')));
  return new Set(rows.map(({ leadId }) => leadId));
}

/**
 * Lets leads out of quarantine: from then on they are delivered and are like others, and their history alone tells of it. A person whose lead came
 * without a valid form token gets no email. Given a reason, only those that are quarantined for it.
 */
export function releaseLeads(
  staffAction: StaffAction,
  ids: readonly number[],
  reason?: QuarantineReason,
): Promise<number[]> {
  const { channels, now } = staffAction.services;
  return changeLeads(staffAction, ids, {
    action: 'lead.release',
    state: and(
      isNull(leads.deletedAt),
      reason === undefined ? isNotNull(leads.quarantinedAt) : eq(leads.quarantineReason, reason),
    ),
    set: { quarantinedAt: null, quarantineReason: null },
    eventsOf: (lead) => leadCreated({ ...lead, quarantinedAt: null }),
    auditDetail: ({ quarantineReason, quarantinedAt }) => ({
      reason: quarantineReason,
      quarantinedAt: quarantinedAt?.toISOString() ?? null,
    }),
    deliver: async (tx, released) => {
      await endWaiting(tx, released);
      const createdAt = now();
      const shown = await withFormShown(tx, idsOf(released));
      const rows = released.flatMap(({ id: leadId, providerId }) => {
        const mayMailPerson = shown.has(leadId);
        return rowsOf(planDeliveries({ channels, providerId, now: createdAt, mayMailPerson }), {
          leadId,
          createdAt,
        });
      });
      await insertDeliveries(tx, rows, createdAt);
      if (released.some(({ providerId }) => providerId === null)) await requestRematch(tx);
    },
  });
}

/** The one lead a call is about. Throws NOT_FOUND 'Lead not found' when `changed` says that there was none. */
export function expectChanged(changed: readonly number[]): void {
  if (changed.length === 0) throw notFound('Lead');
}

const purgedAtOnce = 500;

/**
 * Deletes for good what was deleted thirty days ago, with attribution and held answers; consent evidence stays, and so do an erased person's
 * tombstones. A batch at a time, in any number of processes. Returns how many leads it deleted.
 */
export async function purgeDeletedLeads(db: Queryable, now: Date): Promise<number> {
  const before = new Date(now.getTime() - undoDays * dayMs).toISOString();
  const purged = await db.execute(sql`
    delete from leads where id in (
      select id from leads where deleted_at <= ${before} and erased_at is null order by deleted_at limit ${purgedAtOnce} for update skip locked)
    returning id`);
  return purged.length;
}
