import { asc, eq, inArray, max } from 'drizzle-orm';
import type { z } from 'zod';
import type { leadEvent } from '#shared/admin/adminLeads.ts';
import { leadFieldTable } from '#shared/leads/leadFieldTable.ts';

import type { Queryable } from '#server/db/connect.ts';
import { leadCorrections, type LeadCorrectionRow } from '#server/db/schema/index.ts';

/** Keeps the value that a corrected lead had before. */
export async function storeCorrection(
  tx: Queryable,
  correction: Omit<LeadCorrectionRow, 'id'>,
): Promise<void> {
  await tx.insert(leadCorrections).values(correction);
}

/** Deletes what leads had before, for an erasure. */
export async function deleteCorrections(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  await tx.delete(leadCorrections).where(inArray(leadCorrections.leadId, [...leadIds]));
}

/** What was corrected of a lead, oldest first. */
export function listCorrections(db: Queryable, leadId: number): Promise<LeadCorrectionRow[]> {
  return db
    .select()
    .from(leadCorrections)
    .where(eq(leadCorrections.leadId, leadId))
    .orderBy(asc(leadCorrections.id));
}

/** The email addresses that a lead had before, oldest first, each with when it was corrected. */
export async function listFormerEmails(
  db: Queryable,
  leadId: number,
): Promise<{ email: string; until: Date }[]> {
  const corrections = await listCorrections(db, leadId);
  return corrections.flatMap(({ field, before, at }) =>
    field === 'email' ? [{ email: before, until: at }] : [],
  );
}

/** Whether staff corrected the email address of a lead at least once, even back. */
export async function wasEmailCorrected(db: Queryable, leadId: number): Promise<boolean> {
  return (await listFormerEmails(db, leadId)).length > 0;
}

/** When each of these leads was corrected last. Those that never were are omitted. */
export async function listLastCorrected(
  db: Queryable,
  leadIds: readonly number[],
): Promise<ReadonlyMap<number, Date>> {
  const { leadId, at } = leadCorrections;
  const rows = await db
    .select({ leadId, at: max(at) })
    .from(leadCorrections)
    .where(inArray(leadId, [...leadIds]))
    .groupBy(leadId);
  return new Map(rows.flatMap((row) => (row.at === null ? [] : [[row.leadId, row.at]])));
}

/** The same for the lead's history. */
export async function correctionEvents(db: Queryable, leadId: number): Promise<z.output<typeof leadEvent>[]> {
  return (await listCorrections(db, leadId)).map(({ at, by, field, before }) => ({
    at: at.toISOString(),
    kind: 'corrected',
    by,
    detail: `${leadFieldTable[field].label}, before: ${before}`,
  }));
}
