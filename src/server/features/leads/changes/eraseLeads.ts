import { and, inArray, or, type SQL, sql } from 'drizzle-orm';
import { buildRecord } from '#shared/formats/records.ts';
import type { Queryable } from '#server/db/connect.ts';
import { type BlankedColumn, listBlankedColumns } from '#server/db/personalColumns.ts';
import { type LeadRow, leads } from '#server/db/schema/index.ts';
import { recordEvents } from '../../webhooks/recordEvents.ts';
import { deleteAttribution } from '../intake/leadAttribution.ts';
import { deleteAssignmentUndos } from './undoAssignments.ts';
import { deleteCorrections } from './leadCorrections.ts';
import { deleteNotes } from './leadNotes.ts';
import { leadDeleted, leadErased } from '../leadEvents.ts';
import { allows } from '../leadStates.ts';
import { lockLeads } from '../../outbox/leadStatus.ts';
import { dequeueOverLimit } from '../intake/overLimitQueue.ts';

export async function lockWithRepeats(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  await lockLeads(tx, or(inArray(leads.id, [...leadIds]), inArray(leads.duplicateOf, [...leadIds])));
}

/** Erases leads that the transaction holds locked, with their attribution. Purged and erased leads are ignored. */
export async function eraseLeads(tx: Queryable, leadIds: readonly number[], now: Date): Promise<void> {
  await recordErasures(tx, leadIds);
  await blankLeads(tx, leadIds, now);
  await deleteAttribution(tx, leadIds);
  await dequeueOverLimit(tx, leadIds);
  await deleteAssignmentUndos(tx, leadIds);
  await deleteCorrections(tx, leadIds);
  await deleteNotes(tx, leadIds);
}

/** Call it before the leads are blanked: a lead that was deleted earlier is not deleted again. */
async function recordErasures(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  const found = await lockLeads(tx, and(inArray(leads.id, [...leadIds]), allows('erase')));
  const events = found.map((lead) => [
    ...(lead.deletedAt === null ? leadDeleted(lead) : []),
    ...leadErased(lead),
  ]);
  await recordEvents(tx, events.flat());
}

type NotNullColumn = {
  [Column in keyof LeadRow]: null extends LeadRow[Column] ? never : Column;
}[keyof LeadRow];
const erasedAddress = sql`'erased-' || ${leads.id} || '@erased.invalid'`;

/** What a blanked column gets that can't be null. No country's code begins with 0, so nobody has the phone. */
const tombstone: Record<Extract<BlankedColumn<'leads'>, NotNullColumn>, string | SQL> = {
  publicId: sql`gen_random_uuid()`,
  firstName: 'Erased',
  lastName: '',
  email: erasedAddress,
  emailNorm: erasedAddress,
  phone: '',
  phoneE164: sql`'+' || lpad(${leads.id}::text, 15, '0')`,
  // Anything may have been typed as a ZIP. Five digits that are a ZIP name nobody.
  zipCode: sql`coalesce(${leads.zip5}, '')`,
  matchReason: 'Erased with the person.',
};

/**
 * Makes tombstones: they keep when, where to and how far, and nothing about the person. Address and phone differ for
 * each, so no two count as one person. Removes links between repeats, which share an email address or phone.
 */
async function blankLeads(tx: Queryable, leadIds: readonly number[], now: Date): Promise<void> {
  const { id } = leads;
  await tx
    .update(leads)
    .set({
      ...buildRecord(listBlankedColumns('leads'), () => null),
      ...tombstone,
      deletedAt: sql`coalesce(${leads.deletedAt}, ${now.toISOString()})`,
      erasedAt: now,
      updatedAt: sql`now()`,
    })
    .where(and(inArray(id, [...leadIds]), allows('erase')));
  await tx
    .update(leads)
    .set({ duplicateOf: null, updatedAt: sql`now()` })
    .where(inArray(leads.duplicateOf, [...leadIds]));
}
