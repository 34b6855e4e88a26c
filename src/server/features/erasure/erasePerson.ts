import { and, eq, inArray, isNotNull, or, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { EraseInput, eraseOutput } from '#shared/admin/erasure.ts';
import type { Queryable } from '#server/db/connect.ts';
import {
  deliveries,
  deliveryAttempts,
  idempotencyKeys,
  leadAttribution,
  leads,
  overLimitLeads,
  webhookEvents,
} from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { eraseConsentRecords } from '../consent/consentErasure.ts';
import { eraseWithdrawalAddresses } from '../consent/consentWithdrawals.ts';
import { personLocks } from '../identity/identity.ts';
import { deleteTasks } from '../suppression/staffTasks.ts';
import { unlinkSuppressions } from '../suppression/suppressions.ts';
import type { Actor } from '../auth/actor.ts';
import { recordAuditOfEach } from '../audit/audit.ts';
import { leadDeleted, leadErased } from '../leads/leadEvents.ts';
import { recordEvents } from '../webhooks/recordEvents.ts';
import { suppress } from '../withdrawals/suppress.ts';
import { recordWithdrawals } from '../withdrawals/recordWithdrawals.ts';
import { clearOutbox } from './clearOutbox.ts';
import { findPerson, type Person } from './findPerson.ts';
import { forgetRemoteIds, notifyErasure } from './notifyErasure.ts';

type Erasing = Pick<EraseInput, 'leadId' | 'reason'> & Partial<Pick<EraseInput, 'samePhone' | 'shown'>>;

interface Eraser {
  services: Pick<Services, 'db' | 'dataKeys' | 'now' | 'log' | 'outbox' | 'mail'>;
  actor: Actor;
  ip: string | null;
}

/**
 * Erases whoever left a lead, for good, in one transaction: nobody contacts them again (the list of those keeps hashes), clinics and CRM that had their
 * details are told, every personal value of theirs goes, and what stays is a tombstone a lead, evidence of consent as salted hashes, and a line
 * a lead in the audit log. Leads that share the phone alone and aren't named stay as they are, their e-mail addresses too; the number is on the list. Throws
 * what `findPerson` does.
 */
export async function erasePerson(
  { services, actor, ip }: Eraser,
  { leadId, reason, ...choice }: Erasing,
): Promise<z.infer<typeof eraseOutput>> {
  const now = services.now();
  // Read before the transaction: without the key its seals can't be made, and nothing is erased.
  const sealKey = await services.dataKeys.current('consent-seal');
  const { key: identityKey } = await services.dataKeys.current('identity');
  const receipt = await services.db.transaction(async (tx) => {
    const found = await findPerson(tx, leadId, choice);
    // A lead they send meanwhile waits, or it would be stored as a repeat of one that is erased.
    const [lockA, lockB] = personLocks(found);
    await tx.execute(
      sql`select pg_advisory_xact_lock(${lockA}::bigint), pg_advisory_xact_lock(${lockB}::bigint)`,
    );
    await lockLeads(tx, found.leadIds);
    // Again: what was erased while this waited is theirs no more, and what they sent meanwhile is.
    const person = await findPerson(tx, leadId, choice);
    const { leadIds, recordIds } = person;
    const leftOut = person.found.length - leadIds.length;
    const said = { how: 'erasure', by: actor.name, ip: null, now } as const;
    const { emailNorm, phoneE164 } = person;
    const erased = { person: { emailNorm, phoneE164 }, identityKey, only: leadIds, leadId } as const;
    await suppress(tx, { ...erased, reason: 'erased', ...said });
    // Of purged leads too, whose links still withdraw: it is said already, and no address is written down with it.
    await recordWithdrawals(tx, leadIds, said);
    const messages = await notifyErasure(tx, leadIds, now);
    await recordErasures(tx, leadIds);
    await blankLeads(tx, leadIds, now);
    await eraseConsentRecords(tx, recordIds, { at: now, sealKey });
    await dropDetails(tx, leadIds);
    await forgetRemoteIds(tx);
    const lines = leadIds.map((id) => ({
      subject: { kind: 'lead', id },
      // How many, never which: by the phone of those the erased one's could be read for ever.
      detail: { reason, leads: leadIds.length, ...(leftOut === 0 ? {} : { leftOut }) },
    }));
    await recordAuditOfEach(tx, { actor, ip, action: 'person.erase' }, lines);
    return { at: now.toISOString(), leadIds, consentRecords: recordIds.length, messages };
  });
  services.outbox.wake();
  await clearOutbox(services).catch((error: unknown) =>
    services.log.warn(
      { err: error },
      'the outbox still holds messages about an erased person; it is cleared later',
    ),
  );
  return receipt;
}

/** And repeats of theirs, in the order of their numbers, like every change of leads; their deliveries may still be written, as `suppress` by someone else does. */
async function lockLeads(tx: Queryable, leadIds: Person['leadIds']): Promise<void> {
  await tx
    .select({ id: leads.id })
    .from(leads)
    .where(or(inArray(leads.id, leadIds), inArray(leads.duplicateOf, leadIds)))
    .orderBy(leads.id)
    .for('no key update');
}

/** To be called before the leads are blanked: a lead that was deleted or erased earlier is not deleted or erased again. */
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
 * Tombstones: of when, where to and how far, nothing of whom. The phone is none that anybody can have (no country's code begins with 0), and each
 * lead's own, so that no two tombstones ever pass for one person. No link leads from one to another lead or back: a repeat has the same e-mail address or phone.
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
      // What was typed there may be anything; five digits that are a ZIP name nobody.
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
  // The list stays; which lead it is about could be told by whoever has the phone of a lead that was left out.
  await unlinkSuppressions(tx, leadIds);
  await tx.delete(overLimitLeads).where(inArray(overLimitLeads.leadId, leadIds));
  await deleteTasks(tx, leadIds);
  await tx.delete(leadAttribution).where(inArray(leadAttribution.leadId, leadIds));
  await tx.delete(idempotencyKeys).where(inArray(idempotencyKeys.leadId, leadIds));
  await tx.update(deliveryAttempts).set({ answer: null }).where(inArray(deliveryAttempts.leadId, leadIds));
  const webhooks = tx
    .select({ id: deliveries.id })
    .from(deliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, deliveries.eventId))
    .where(inArray(webhookEvents.leadId, leadIds));
  await tx
    .update(deliveryAttempts)
    .set({ answer: null })
    .where(and(isNotNull(deliveryAttempts.answer), inArray(deliveryAttempts.deliveryId, webhooks)));
  await eraseWithdrawalAddresses(tx, leadIds);
}
