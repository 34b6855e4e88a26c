import { desc, eq } from 'drizzle-orm';
import type { Queryable } from '../../db/connect.ts';
import { consentRecords } from '../../db/schema/index.ts';

/**
 * The id of the lead whose UUID a signed link names. Read from the evidence, which keeps the UUID after a purge and
 * after an erasure, when the lead has a new one. Null if there is no such evidence.
 */
export async function findLinkedLead(db: Queryable, publicId: string): Promise<number | null> {
  const [row] = await db
    .select({ leadId: consentRecords.leadId })
    .from(consentRecords)
    .where(eq(consentRecords.leadPublicId, publicId))
    .orderBy(desc(consentRecords.id))
    .limit(1);
  return row?.leadId ?? null;
}
