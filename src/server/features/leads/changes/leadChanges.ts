import { and, eq, gt, inArray, ne, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { AuditAction } from '#shared/admin/audit.ts';
import type { QuarantineReason } from '#shared/leads/quarantine.ts';
import { dayMs } from '#shared/formats/time.ts';
import type { Queryable } from '#server/db/connect.ts';
import { consentRecords, leads } from '#server/db/schema/index.ts';
import { notFound } from '#server/errors.ts';
import type { Services } from '#server/services.ts';
import { cancelLeadDeliveries, leadDeletedReason } from '../../outbox/cancelDeliveries.ts';
import { requeueCancelled } from '../../outbox/requeue.ts';
import { planDeliveries, toRows } from '../../outbox/enqueueDeliveries.ts';
import { insertDeliveries } from '../../outbox/repeats.ts';
import { type AuditActor, recordAuditOfEach } from '../../audit/audit.ts';
import { recordEvents, type NewEvent } from '../../webhooks/recordEvents.ts';
import { leadCreated, leadDeleted, leadUpdated } from '../leadEvents.ts';
import { allows } from '../leadStates.ts';
import { dequeueOverLimit, queueOverLimit } from '../intake/overLimitQueue.ts';
import { undoDays } from './purgeLeads.ts';
import { type LockedLead, lockLeads } from '../../outbox/leadStatus.ts';
import { requestRematch } from './rematch.ts';

/** A change of leads by staff, a token or the system: who, from which address, with which services. */
export interface LeadAction {
  services: Pick<Services, 'db' | 'dataKeys' | 'zipTable' | 'now' | 'log' | 'channels' | 'wakeSignal'>;
  actor: AuditActor;
  ip: string | null;
}

function listIds(rows: readonly LockedLead[]): number[] {
  return rows.map(({ id }) => id);
}

interface Change {
  action: AuditAction;
  /** Which of the requested leads are changed. */
  condition: SQL | undefined;
  set: Partial<typeof leads.$inferInsert>;
  /** The audit entry's detail about a lead before the change. */
  auditDetail?: (lead: LockedLead) => object;
  /** The events about a lead, from its values before the change. */
  buildEvents: (lead: LockedLead) => NewEvent[];
  deliver?: (tx: Queryable, changed: readonly LockedLead[]) => Promise<void>;
}

/** Changes the leads that match the condition in one transaction, each with an audit entry. Returns their ids. */
async function changeLeads(
  { services, actor, ip }: LeadAction,
  ids: readonly number[],
  { action, condition, set, auditDetail, buildEvents, deliver }: Change,
): Promise<number[]> {
  const changedIds = await services.db.transaction(async (tx) => {
    const found = await lockLeads(tx, and(inArray(leads.id, [...ids]), condition));
    const changed = listIds(found);
    if (changed.length === 0) return changed;
    await tx
      .update(leads)
      .set({ ...set, updatedAt: sql`now()` })
      .where(inArray(leads.id, changed));
    const lines = found.map((lead) => ({
      subject: { kind: 'lead', id: lead.id },
      ...(auditDetail === undefined ? {} : { detail: auditDetail(lead) }),
    }));
    await recordAuditOfEach(tx, { actor, ip, action }, lines);
    await recordEvents(tx, found.flatMap(buildEvents));
    await deliver?.(tx, found);
    return changed;
  });
  services.wakeSignal.wake();
  return changedIds;
}

/** Deletes leads: lists hide them and nothing is delivered. `restoreLeads` can undo it for thirty days. */
export function removeLeads(staffAction: LeadAction, ids: readonly number[]): Promise<number[]> {
  const now = staffAction.services.now();
  return changeLeads(staffAction, ids, {
    action: 'lead.delete',
    condition: allows('delete'),
    set: { deletedAt: now },
    buildEvents: leadDeleted,
    deliver: async (tx, removed) => {
      await dequeueOverLimit(tx, listIds(removed));
      await cancelLeadDeliveries(tx, listIds(removed), { reason: leadDeletedReason, now });
    },
  });
}

/** Undoes deletions of the last thirty days and resumes the deliveries that they canceled. */
export function restoreLeads(staffAction: LeadAction, ids: readonly number[]): Promise<number[]> {
  const now = staffAction.services.now();
  const oldest = new Date(now.getTime() - undoDays * dayMs);
  return changeLeads(staffAction, ids, {
    action: 'lead.undo',
    condition: and(allows('restore'), gt(leads.deletedAt, oldest)),
    set: { deletedAt: null },
    buildEvents: (lead) => leadUpdated(lead, ['deleted']),
    deliver: async (tx, restored) => {
      const waiting = restored.filter(({ quarantineReason }) => quarantineReason === 'over-limit');
      await queueOverLimit(
        tx,
        waiting.map(({ id }) => ({ leadId: id, releaseAt: now })),
      );
      await requeueCancelled(tx, listIds(restored), { reason: leadDeletedReason, now });
      if (restored.some(isUnmatched)) await requestRematch(tx);
    },
  });
}

/** The audit entry's detail of a release: why and since when the lead was quarantined, which its row no longer says. */
export const releaseDetail = z.object({ reason: z.string(), quarantinedAt: z.iso.datetime() });

/** Rematching finds a provider only for such leads. */
function isUnmatched({ providerId, quarantinedAt }: LockedLead): boolean {
  return providerId === null && quarantinedAt === null;
}

/** The leads whose evidence names a form that was shown. Anyone could have sent the others in the person's name. */
async function withFormShown(tx: Queryable, leadIds: readonly number[]): Promise<Set<number>> {
  const rows = await tx
    .select({ leadId: consentRecords.leadId })
    .from(consentRecords)
    .where(and(inArray(consentRecords.leadId, [...leadIds]), ne(consentRecords.formKey, 'api')));
  return new Set(rows.map(({ leadId }) => leadId));
}

/**
 * Releases leads from quarantine and delivers them. With a reason, releases only leads that are quarantined for it. A
 * person whose lead came without a valid form token gets no email; one above a limit came with one.
 */
export function releaseLeads(
  staffAction: LeadAction,
  ids: readonly number[],
  reason?: QuarantineReason,
): Promise<number[]> {
  const { channels, now } = staffAction.services;
  return changeLeads(staffAction, ids, {
    action: 'lead.release',
    condition: and(
      allows('release'),
      // Nobody may call the invented person of a test.
      reason === undefined ? ne(leads.quarantineReason, 'test') : eq(leads.quarantineReason, reason),
    ),
    set: { quarantinedAt: null, quarantineReason: null },
    buildEvents: (lead) => leadCreated({ ...lead, quarantinedAt: null }),
    auditDetail: ({ quarantineReason, quarantinedAt }) => ({ reason: quarantineReason, quarantinedAt }),
    deliver: async (tx, released) => {
      await dequeueOverLimit(tx, listIds(released));
      const createdAt = now();
      const shown = await withFormShown(tx, listIds(released));
      const rows = released.flatMap(({ id: leadId, providerId, quarantineReason }) => {
        const mayMailPerson = shown.has(leadId) || quarantineReason === 'over-limit';
        return toRows(planDeliveries({ channels, providerId, now: createdAt, mayMailPerson }), {
          leadId,
          createdAt,
        });
      });
      await insertDeliveries(tx, rows, createdAt);
      if (released.some(({ providerId }) => providerId === null)) await requestRematch(tx);
    },
  });
}

/** For a call about one lead: throws NOT_FOUND 'Lead not found' if nothing was changed. */
export function expectChanged(changed: readonly number[]): void {
  if (changed.length === 0) throw notFound('Lead');
}
