import { and, desc, eq, sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { consentRecords, leads } from '#server/db/schema/index.ts';

/** The id of the lead with a UUID that anybody may have written: reads only the evidence, by its index. */
export async function findLeadOfEvidence(db: Queryable, publicId: string): Promise<number | null> {
  const [row] = await db
    .select({ leadId: consentRecords.leadId })
    .from(consentRecords)
    .where(eq(consentRecords.leadPublicId, publicId))
    .orderBy(desc(consentRecords.id))
    .limit(1);
  return row?.leadId ?? null;
}

/** The id of the lead that a signed link names. The evidence keeps its UUID after a purge and an erasure. */
export async function findLinkedLead(db: Queryable, publicId: string): Promise<number | null> {
  const leadId = await findLeadOfEvidence(db, publicId);
  if (leadId !== null) return leadId;
  // A lead may be kept longer than its evidence. Without a checkpoint, no lead is read: this has no index.
  const isPruned = sql`${leads.createdAt} <= (select max(accepted_until) from consent_checkpoints)`;
  const [left] = await db
    .select({ id: leads.id })
    .from(leads)
    .where(and(eq(leads.publicId, publicId), isPruned))
    .limit(1);
  return left?.id ?? null;
}
