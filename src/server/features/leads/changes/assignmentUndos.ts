import { inArray, lte } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable } from '#server/db/connect.ts';
import { type AssignmentUndoRow, assignmentUndos, leads, type LeadRow } from '#server/db/schema/index.ts';
import type { DeliverySnapshot } from '../../outbox/undo/undoDeliveries.ts';

/** The columns of a lead that an assignment changes. */
const undoColumns = {
  providerId: leads.providerId,
  matchMethod: leads.matchMethod,
  matchReason: leads.matchReason,
  matchDistanceMiles: leads.matchDistanceMiles,
  outcome: leads.outcome,
  crmSyncStatus: leads.crmSyncStatus,
} as const;
type UndoColumns = Pick<LeadRow, keyof typeof undoColumns>;

/** The stored `before` of an undo. */
export const storedBefore = z.object({
  providerId: z.number().nullable(),
  matchMethod: z.enum(leads.matchMethod.enumValues),
  matchReason: z.string(),
  matchDistanceMiles: z.number().nullable(),
  outcome: z.enum(leads.outcome.enumValues).nullable(),
  crmSyncStatus: z.enum(leads.crmSyncStatus.enumValues).nullable(),
}) satisfies z.ZodType<UndoColumns>;

/** Who may undo an assignment, and until when. */
export interface UndoWindow {
  /** Null: anyone who signed in with the shared password. */
  accountId: number | null;
  assignedAt: Date;
  undoUntil: Date;
}

/** What locked leads have before an assignment, by id. */
export async function readUndoColumns(
  tx: Queryable,
  leadIds: readonly number[],
): Promise<Map<number, UndoColumns>> {
  const rows = await tx
    .select({ id: leads.id, ...undoColumns })
    .from(leads)
    .where(inArray(leads.id, [...leadIds]));
  return new Map(rows.map(({ id, ...before }) => [id, before]));
}

interface StoredUndo extends Pick<
  AssignmentUndoRow,
  'leadId' | 'providerId' | 'matchReason' | 'created' | 'events'
> {
  before: UndoColumns | undefined;
  moved: readonly DeliverySnapshot[];
}

/** Stores what an Undo needs, in place of the leads' earlier assignments. */
export async function storeAssignmentUndos(
  tx: Queryable,
  window: UndoWindow,
  undos: readonly StoredUndo[],
): Promise<void> {
  if (undos.length === 0) return;
  await deleteAssignmentUndos(
    tx,
    undos.map(({ leadId }) => leadId),
  );
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
