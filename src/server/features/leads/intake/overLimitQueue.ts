import { hourMs } from '#shared/formats/time.ts';
import { inArray, sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { insertRows } from '#server/db/insertRows.ts';
import { leads, overLimitLeads } from '#server/db/schema/index.ts';

/** A lead above a limit leaves the queue at the latest then, so that it is delivered within four hours. */
export const waitMaxMs = 3.5 * hourMs;

interface WaitingLead {
  leadId: number;
  /** When a limit may allow the release. */
  releaseAt: Date;
}

/** Queues leads that are `over-limit` for release. */
export async function queueOverLimit(tx: Queryable, waiting: readonly WaitingLead[]): Promise<void> {
  if (waiting.length > 0) await tx.execute(insertRows(overLimitLeads, waiting));
}

/** Moves the release of queued leads, not beyond the latest time of each. */
export async function postponeOverLimit(
  tx: Queryable,
  leadIds: readonly number[],
  releaseAt: Date,
): Promise<void> {
  await tx
    .update(overLimitLeads)
    .set({
      releaseAt: sql`least(${releaseAt.toISOString()}::timestamptz, (
        select ${leads.createdAt} + ${waitMaxMs / 1000} * interval '1 second' from ${leads} where ${leads.id} = ${overLimitLeads.leadId}))`,
    })
    .where(inArray(overLimitLeads.leadId, [...leadIds]));
}

/** Removes leads from the queue: they were released, deleted or erased. */
export async function dequeueOverLimit(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  await tx.delete(overLimitLeads).where(inArray(overLimitLeads.leadId, [...leadIds]));
}
