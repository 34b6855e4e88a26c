import { inArray, lte } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { assignmentUndos } from '#server/db/schema/index.ts';

/** Deletes what an Undo would need: the leads were erased. */
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
