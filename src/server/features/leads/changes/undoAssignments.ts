import { inArray, lte, eq, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable } from '#server/db/connect.ts';
import { type AssignmentUndoRow, assignmentUndos, leads, type LeadRow } from '#server/db/schema/index.ts';
import {
  type DeliverySnapshot,
  deliverySnapshot,
  hasLeft,
  lockUndoable,
  takeBackDeliveries,
  type UndoableDeliveries,
} from '../../outbox/undo/undoDeliveries.ts';
import { AppError } from '#server/errors.ts';
import { recordAuditOfEach } from '../../audit/audit.ts';
import {
  flagFailedDeliveries,
  type LockedLead,
  lockLeads,
  updateCrmStatus,
} from '../../outbox/leadStatus.ts';
import { reconsiderRepeats } from '../../outbox/repeats.ts';
import { takeBackEvents } from '../../webhooks/recordEvents.ts';
import { buildAssignmentDetail } from './assignment.ts';
import type { LeadAction } from './leadChanges.ts';
import { listLastCorrected } from './leadCorrections.ts';
import { outcomeAfterUndo } from './leadOutcomes.ts';

/** The columns of a lead that an assignment changes, as they were before it. */
export const storedBefore = z.object({
  providerId: z.number().nullable(),
  matchMethod: z.enum(leads.matchMethod.enumValues),
  matchReason: z.string(),
  matchDistanceMiles: z.number().nullable(),
  outcome: z.enum(leads.outcome.enumValues).nullable(),
  crmSyncStatus: z.enum(leads.crmSyncStatus.enumValues).nullable(),
}) satisfies z.ZodType<
  Pick<
    LeadRow,
    'providerId' | 'matchMethod' | 'matchReason' | 'matchDistanceMiles' | 'outcome' | 'crmSyncStatus'
  >
>;
type Before = z.output<typeof storedBefore>;

/** Who may undo an assignment, and until when. */
export interface UndoWindow {
  /** Null: anyone who signed in with the shared password. */
  accountId: number | null;
  assignedAt: Date;
  undoUntil: Date;
}

interface StoredUndo extends Pick<
  AssignmentUndoRow,
  'leadId' | 'providerId' | 'matchReason' | 'created' | 'events'
> {
  before: Before;
  moved: readonly DeliverySnapshot[];
}

/** Stores what an Undo needs, in place of the leads' earlier assignments. */
export async function storeAssignmentUndos(
  tx: Queryable,
  window: UndoWindow,
  undos: readonly StoredUndo[],
): Promise<void> {
  if (undos.length === 0) return;
  const leadIds = undos.map(({ leadId }) => leadId);
  await deleteAssignmentUndos(tx, leadIds);
  await tx.insert(assignmentUndos).values(undos.map((undo) => ({ ...window, ...undo })));
}

/** Deletes what an Undo would need: it was done, or the leads were erased. */
export async function deleteAssignmentUndos(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  await tx.delete(assignmentUndos).where(inArray(assignmentUndos.leadId, [...leadIds]));
}

const purgedPerBatch = 5_000;

/** Deletes a batch of rows whose Undo has ended. Returns how many. */
export async function purgeAssignmentUndos(db: Queryable, now: Date): Promise<number> {
  const ended = db
    .select({ leadId: assignmentUndos.leadId })
    .from(assignmentUndos)
    .where(lte(assignmentUndos.undoUntil, now))
    .limit(purgedPerBatch)
    .for('update', { skipLocked: true });
  return (await db.delete(assignmentUndos).where(inArray(assignmentUndos.leadId, ended))).count;
}

/** Why an assignment stays as it is. */
const refusals = {
  sent: 'Already sent',
  changed: 'This lead was changed in the meantime. Nothing was undone.',
  deleted: 'This lead was deleted in the meantime. Nothing was undone.',
} as const;

interface Undone {
  /** The leads that are as before their assignment. */
  changed: number[];
  refused: { id: number; reason: string }[];
}

/** An assignment that can be undone. */
interface Assignment extends UndoableDeliveries {
  undo: AssignmentUndoRow;
  before: Before;
  /** As it is now. */
  lead: LockedLead;
}

const moved = z.array(deliverySnapshot);

/**
 * Undoes the latest assignment of leads by the same member of staff, as long as nothing that it caused has left: the
 * leads and their deliveries are as before, and nobody is informed. An outcome that was reported since stays. Leads
 * whose deliveries left, or that were changed or deleted since, stay as they are. Audits each lead that was changed.
 * Throws CONFLICT with the reason if none was.
 */
export async function undoAssignments(staffAction: LeadAction, ids: readonly number[]): Promise<Undone> {
  const { services } = staffAction;
  const undone = await services.db.transaction(async (tx): Promise<Undone> => {
    const locked = await lockLeads(tx, inArray(leads.id, [...ids]));
    const found = new Map(locked.map((lead) => [lead.id, lead]));
    const rows = await tx
      .select()
      .from(assignmentUndos)
      .where(inArray(assignmentUndos.leadId, [...ids]));
    const undos = new Map(rows.map((undo) => [undo.leadId, undo]));
    const corrected = await listLastCorrected(tx, ids);
    const possible: Assignment[] = [];
    const refused: Undone['refused'] = [];
    for (const id of new Set(ids)) {
      const lead = found.get(id);
      const undo = undos.get(id);
      const refusal = catchRefusal(staffAction, lead, { undo, correctedAt: corrected.get(id) });
      if (refusal !== null) refused.push({ id, reason: refusals[refusal] });
      else if (undo !== undefined && lead !== undefined) possible.push(getAssignment(undo, lead));
    }
    const affected = await lockUndoable(tx, possible);
    const unsent = possible.filter((assignment) => !hasLeft(assignment, affected));
    for (const { lead } of possible)
      if (!unsent.some((one) => one.lead === lead)) refused.push({ id: lead.id, reason: refusals.sent });
    await takeBack(tx, staffAction, { unsent, rows: affected });
    return { changed: unsent.map(({ undo }) => undo.leadId).toSorted((a, b) => a - b), refused };
  });
  const [first] = undone.refused;
  if (undone.changed.length === 0 && first !== undefined) throw new AppError('CONFLICT', first.reason);
  services.wakeSignal.wake();
  return undone;
}

function catchRefusal(
  { services: { now }, actor }: LeadAction,
  lead: LockedLead | undefined,
  { undo, correctedAt }: { undo: AssignmentUndoRow | undefined; correctedAt: Date | undefined },
): keyof typeof refusals | null {
  if (lead === undefined || lead.deletedAt !== null) return 'deleted';
  // Its row was purged after the Undo's end.
  if (undo === undefined) return 'sent';
  const isOwn = actor.kind === 'staff' && actor.accountId === undo.accountId;
  const isAsAssigned = lead.providerId === undo.providerId && lead.matchReason === undo.matchReason;
  // The provider that gets it back wouldn't learn of the correction.
  const isCorrected = correctedAt !== undefined && correctedAt >= undo.assignedAt;
  if (!isOwn || !isAsAssigned || isCorrected) return 'changed';
  return now() >= undo.undoUntil ? 'sent' : null;
}

function getAssignment(undo: AssignmentUndoRow, lead: LockedLead): Assignment {
  const { created, events } = undo;
  const before = storedBefore.parse(undo.before);
  return { undo, lead, before, created, events, moved: moved.parse(undo.moved) };
}

interface TakenBack {
  unsent: readonly Assignment[];
  rows: Awaited<ReturnType<typeof lockUndoable>>;
}

async function takeBack(tx: Queryable, staffAction: LeadAction, { unsent, rows }: TakenBack): Promise<void> {
  if (unsent.length === 0) return;
  const now = staffAction.services.now();
  const ids = unsent.map(({ lead }) => lead.id);
  const { actor, ip } = staffAction;
  const lines = unsent.map(({ lead, before: { providerId, matchDistanceMiles: miles } }) => ({
    subject: { kind: 'lead', id: lead.id },
    detail: buildAssignmentDetail(lead, { providerId, miles }),
  }));
  await recordAuditOfEach(tx, { actor, ip, action: 'lead.unassign' }, lines);
  for (const { undo, before } of unsent)
    await tx
      .update(leads)
      .set({ ...before, outcome: toOutcome({ undo, before }), updatedAt: sql`now()` })
      .where(eq(leads.id, undo.leadId));
  await takeBackDeliveries(tx, unsent, { rows, now });
  await takeBackEvents(
    tx,
    unsent.flatMap(({ events }) => events),
  );
  for (const [providerId, group] of Map.groupBy(unsent, ({ undo }) => undo.providerId)) {
    // Nothing was sent to nobody.
    if (providerId === null) continue;
    await reconsiderRepeats(tx, {
      leadIds: group.map(({ undo }) => undo.leadId),
      since: group.map(({ undo }) => undo.assignedAt).toSorted((a, b) => Number(a) - Number(b))[0] ?? now,
      ...{ providerId, now },
    });
  }
  await flagFailedDeliveries(tx, ids);
  await updateCrmStatus(tx, ids);
  await deleteAssignmentUndos(tx, ids);
}

function toOutcome({ undo, before }: Pick<Assignment, 'undo' | 'before'>): SQL {
  return outcomeAfterUndo({
    leadId: undo.leadId,
    isSameProvider: undo.providerId === before.providerId,
    outcome: before.outcome,
    movedAt: undo.assignedAt,
  });
}
