import { inArray, or, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { EraseInput, eraseOutput } from '#shared/admin/erasure.ts';
import type { Queryable } from '#server/db/connect.ts';
import { idempotencyKeys, leadAttribution, leads, overLimitLeads } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { eraseConsentRecords } from '../consent/consentErasure.ts';
import { eraseWithdrawalAddresses } from '../consent/consentWithdrawals.ts';
import { personLocks } from '../identity/identity.ts';
import { deleteTasks } from '../suppression/staffTasks.ts';
import { unlinkSuppressions } from '../suppression/suppressions.ts';
import type { Actor } from '../auth/actor.ts';
import { recordAuditOfEach } from '../audit/audit.ts';
import { leadDeleted, leadErased } from '../leads/leadEvents.ts';
import { deleteAnswers, enqueueErasureNotices, forgetRemoteIds } from '../outbox/notices.ts';
import { recordEvents } from '../webhooks/recordEvents.ts';
import { suppress } from '../withdrawals/suppress.ts';
import { recordWithdrawals } from '../withdrawals/recordWithdrawals.ts';
import { clearOutbox } from './clearOutbox.ts';
import { findPerson, type Person } from './findPerson.ts';

type Erasing = Pick<EraseInput, 'leadId' | 'reason'> & Partial<Pick<EraseInput, 'samePhone' | 'shown'>>;

interface Eraser {
  services: Pick<Services, 'db' | 'dataKeys' | 'now' | 'log' | 'outbox' | 'mail'>;
  actor: Actor;
  ip: string | null;
}

/**
 * Erases the person of a lead for good, in one transaction: suppresses email and phone as hashes, notifies the providers
 * and the CRM that have the details, and removes every personal value. A tombstone for each lead, the evidence of consent
 * as salted hashes and an audit entry for each lead remain. Leads that share only the phone and weren't chosen stay as
 * they are, but their phone is suppressed. Throws what `findPerson` does.
 */
export async function erasePerson(
  { services, actor, ip }: Eraser,
  { leadId, reason, ...choice }: Erasing,
): Promise<z.infer<typeof eraseOutput>> {
  const now = services.now();
  // Loaded first: without the key, the erasure can't be sealed, and nothing is erased.
  const sealKey = await services.dataKeys.current('consent-seal');
  const { key: identityKey } = await services.dataKeys.current('identity');
  const receipt = await services.db.transaction(async (tx) => {
    const found = await findPerson(tx, leadId, choice);
    // A new lead of the person waits, or it would be stored as a repeat of an erased lead.
    const [lockA, lockB] = personLocks(found);
    await tx.execute(
      sql`select pg_advisory_xact_lock(${lockA}::bigint), pg_advisory_xact_lock(${lockB}::bigint)`,
    );
    await lockLeads(tx, found.leadIds);
    // Read again: while this waited, leads may have been erased or added.
    const person = await findPerson(tx, leadId, choice);
    const { leadIds, recordIds } = person;
    const leftOut = person.found.length - leadIds.length;
    const said = { how: 'erasure', by: actor.name, ip: null, now } as const;
    const { emailNorm, phoneE164 } = person;
    const erased = { person: { emailNorm, phoneE164 }, identityKey, only: leadIds, leadId } as const;
    await suppress(tx, { ...erased, reason: 'erased', ...said });
    // Purged leads too: their links still work, and must not record an address later.
    await recordWithdrawals(tx, leadIds, said);
    const messages = await enqueueErasureNotices(tx, leadIds, now);
    await recordErasures(tx, leadIds);
    await blankLeads(tx, leadIds, now);
    await eraseConsentRecords(tx, recordIds, { at: now, sealKey });
    await dropDetails(tx, leadIds);
    await forgetRemoteIds(tx);
    const lines = leadIds.map((id) => ({
      subject: { kind: 'lead', id },
      // Counts only: ids of leads with the same phone would reveal the erased person's phone.
      detail: { reason, leads: leadIds.length, ...(leftOut === 0 ? {} : { leftOut }) },
    }));
    await recordAuditOfEach(tx, { actor, ip, action: 'person.erase' }, lines);
    return { at: now.toISOString(), leadIds, consentRecords: recordIds.length, messages };
  });
  services.outbox.wake();
  await clearOutbox(services).catch((error: unknown) =>
    services.log.warn(
      { err: error },
      'the mail outbox still contains messages about an erased person; it is cleared later',
    ),
  );
  return receipt;
}

/** Locks the leads and their repeats by ascending id, like every change of leads. Their deliveries can still be written. */
async function lockLeads(tx: Queryable, leadIds: Person['leadIds']): Promise<void> {
  await tx
    .select({ id: leads.id })
    .from(leads)
    .where(or(inArray(leads.id, leadIds), inArray(leads.duplicateOf, leadIds)))
    .orderBy(leads.id)
    .for('no key update');
}

/** Records the events. Runs before the leads are blanked: leads that were deleted or erased earlier get no event. */
async function recordErasures(tx: Queryable, leadIds: Person['leadIds']): Promise<void> {
  const { id, providerId, quarantinedAt, deletedAt, erasedAt } = leads;
  const rows = await tx
    .select({ id, providerId, quarantinedAt, deletedAt, erasedAt })
    .from(leads)
    .where(inArray(leads.id, leadIds))
    .orderBy(leads.id);
  await recordEvents(
    tx,
    rows.flatMap((lead) => [
      ...(lead.deletedAt === null ? leadDeleted(lead) : []),
      ...(lead.erasedAt === null ? leadErased(lead) : []),
    ]),
  );
}

/**
 * Turns leads into tombstones, which keep time, provider and distance but no personal data. Each gets its own phone that
 * nobody can have (no country code begins with 0), so two tombstones are never the same person's. Links between repeats are
 * removed.
 */
async function blankLeads(tx: Queryable, leadIds: Person['leadIds'], now: Date): Promise<void> {
  const { id } = leads;
  await tx
    .update(leads)
    .set({
      publicId: sql`gen_random_uuid()`,
      firstName: 'Erased',
      lastName: '',
      email: sql`'erased-' || ${id} || '@erased.invalid'`,
      emailNorm: sql`'erased-' || ${id} || '@erased.invalid'`,
      phone: '',
      phoneE164: sql`'+' || lpad(${id}::text, 15, '0')`,
      // The typed text may be anything; a valid ZIP identifies nobody.
      zipCode: sql`coalesce(${leads.zip5}, '')`,
      matchReason: 'Erased with the person.',
      acceptanceMessage: null,
      acceptanceIp: null,
      duplicateOf: null,
      deletedAt: sql`coalesce(${leads.deletedAt}, ${now.toISOString()})`,
      erasedAt: now,
    })
    .where(inArray(id, leadIds));
  await tx.update(leads).set({ duplicateOf: null }).where(inArray(leads.duplicateOf, leadIds));
}

async function dropDetails(tx: Queryable, leadIds: Person['leadIds']): Promise<void> {
  // The entries stay without their leads: an entry that is found by another lead's phone must not name this one.
  await unlinkSuppressions(tx, leadIds);
  await tx.delete(overLimitLeads).where(inArray(overLimitLeads.leadId, leadIds));
  await deleteTasks(tx, leadIds);
  await tx.delete(leadAttribution).where(inArray(leadAttribution.leadId, leadIds));
  await tx.delete(idempotencyKeys).where(inArray(idempotencyKeys.leadId, leadIds));
  await deleteAnswers(tx, leadIds);
  await eraseWithdrawalAddresses(tx, leadIds);
}
