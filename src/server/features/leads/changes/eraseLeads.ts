import { and, inArray, or, sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { leads } from '#server/db/schema/index.ts';
import { recordEvents } from '../../webhooks/recordEvents.ts';
import { deleteAttribution } from '../intake/leadAttribution.ts';
import { deleteAssignmentUndos } from './assignmentUndos.ts';
import { deleteCorrections } from './leadCorrections.ts';
import { leadDeleted, leadErased } from '../leadEvents.ts';
import { allows } from '../leadStates.ts';
import { dequeueOverLimit } from '../intake/overLimitQueue.ts';

/**
 * Locks leads and their repeats, in the order of their ids, like every change of leads. Deliveries may still refer to
 * them.
 */
export async function lockWithRepeats(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  await tx
    .select({ id: leads.id })
    .from(leads)
    .where(or(inArray(leads.id, [...leadIds]), inArray(leads.duplicateOf, [...leadIds])))
    .orderBy(leads.id)
    .for('no key update');
}

/** Erases leads that the transaction holds locked, with their attribution. Purged and erased leads are ignored. */
export async function eraseLeads(tx: Queryable, leadIds: readonly number[], now: Date): Promise<void> {
  await recordErasures(tx, leadIds);
  await blankLeads(tx, leadIds, now);
  await deleteAttribution(tx, leadIds);
  await dequeueOverLimit(tx, leadIds);
  await deleteAssignmentUndos(tx, leadIds);
  await deleteCorrections(tx, leadIds);
}

/** Call it before the leads are blanked: a lead that was deleted earlier is not deleted again. */
async function recordErasures(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  const { id, providerId, quarantinedAt, deletedAt } = leads;
  const rows = await tx
    .select({ id, providerId, quarantinedAt, deletedAt })
    .from(leads)
    .where(and(inArray(id, [...leadIds]), allows('erase')))
    .orderBy(id);
  await recordEvents(
    tx,
    rows.flatMap((lead) => [...(lead.deletedAt === null ? leadDeleted(lead) : []), ...leadErased(lead)]),
  );
}

/**
 * Makes tombstones: they keep when, where to and how far, and nothing about the person. No country's code begins with
 * 0, so nobody has the phone; it differs for each lead, so no two tombstones count as one person. Links between repeats
 * are removed, because a repeat has the same email address or phone.
 */
async function blankLeads(tx: Queryable, leadIds: readonly number[], now: Date): Promise<void> {
  const { id } = leads;
  await tx
    .update(leads)
    .set({
      publicId: sql`gen_random_uuid()`,
      firstName: 'Erased',
      lastName: '',
      email: sql`'erased-' || ${id} || '@erased.invalid'`,
      emailNorm: sql`'erased-' || ${id} || '@erased.invalid'`,
      firstEmailNorm: null,
      firstPhoneE164: null,
      phone: '',
      phoneE164: sql`'+' || lpad(${id}::text, 15, '0')`,
      // Anything may have been typed as a ZIP. Five digits that are a ZIP name nobody.
      zipCode: sql`coalesce(${leads.zip5}, '')`,
      matchReason: 'Erased with the person.',
      acceptanceMessage: null,
      acceptanceIp: null,
      answers: null,
      duplicateOf: null,
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
