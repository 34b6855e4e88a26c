import { and, isNull, not, notInArray } from 'drizzle-orm';
import type { z } from 'zod';
import type { EraseInput, eraseOutput } from '#shared/admin/erasure.ts';
import type { Queryable } from '#server/db/connect.ts';
import { leads } from '#server/db/schema/index.ts';
import type { DataKey } from '#server/security/dataKeys.ts';
import type { Services } from '#server/services.ts';
import { deleteReports } from '../claims/problemReports.ts';
import { eraseConsentRecords } from '../consent/consentErasure.ts';
import { eraseWithdrawalAddresses } from '../consent/recordConsent.ts';
import { isLeadOf, lockPersons } from '../identity/identity.ts';
import { recordLedgerEntry } from '../ledger/recordLedgerEntry.ts';
import { deleteTasks, openPhoneTasks } from '../suppression/staffTasks.ts';
import { isLeadSuppressed, unlinkSuppressions } from '../suppression/suppressions.ts';
import { type AuditActor, recordAuditOfEach } from '../audit/audit.ts';
import { eraseLeads, lockWithRepeats } from '../leads/changes/eraseLeads.ts';
import { deleteAnswers, enqueueErasureNotices, forgetRemoteIds } from '../outbox/notices.ts';
import { forgetKeys } from '../submissions/idempotency.ts';
import { suppress, recordWithdrawals } from '../withdrawals/suppress.ts';
import { clearMailFolder } from './clearMailFolder.ts';
import { findPerson, type Person, type PersonKey } from './findPerson.ts';

type Erasing = PersonKey &
  Pick<EraseInput, 'reason'> &
  Partial<Pick<EraseInput, 'samePhone' | 'sameMailbox' | 'shown'>>;

interface Eraser {
  services: Pick<Services, 'db' | 'dataKeys' | 'now' | 'log' | 'wakeSignal' | 'mail'>;
  actor: AuditActor;
  ip: string | null;
}

/**
 * Erases the person of a lead or an email address for good, in one transaction: suppresses email and phone as hashes,
 * notifies the providers and the CRM that have the details, and removes every personal value. A tombstone for each
 * lead, the evidence of consent as salted hashes, an audit entry for each lead and one in the erasure ledger remain.
 * Leads that share only the phone, the mailbox or a former address and weren't chosen stay as they are: nobody has
 * proved whose the phone is, so it isn't suppressed, but a task for staff. What is not delivered yet to another
 * spelling of the mailbox waits for staff. Throws what `findPerson` does.
 */
export async function erasePerson(
  { services, actor, ip }: Eraser,
  { reason, samePhone, sameMailbox, shown, ...key }: Erasing,
): Promise<z.infer<typeof eraseOutput>> {
  const now = services.now();
  // Loaded first: without the key, the erasure can't be sealed, and nothing is erased.
  const sealKey = await services.dataKeys.current('consent-seal');
  const { key: identityKey } = await services.dataKeys.current('identity');
  const receipt = await services.db.transaction(async (tx) => {
    const choice = { samePhone, sameMailbox, shown };
    const found = await findPerson(tx, key, choice);
    // A new lead of the person waits, or it would be stored as a repeat of an erased lead.
    await lockPersons(tx, [found]);
    await lockWithRepeats(tx, found.leadIds);
    // Read again: while this waited, leads may have been erased or added.
    const person = await findPerson(tx, key, choice);
    const { leadIds, recordIds, askedId: leadId } = person;
    const leftOut = person.found.length - leadIds.length;
    const said = { how: 'erasure', by: actor.name, ip: null, now } as const;
    const { emailNorm, phoneE164 } = person;
    const isOthers = and(isLeadOf({ phoneE164 }), isNull(leads.erasedAt), notInArray(leads.id, leadIds));
    // By another person, who may still be contacted.
    const isShared = (await tx.$count(leads, and(isOthers, not(isLeadSuppressed(identityKey))))) > 0;
    const listed = isShared ? { emailNorm } : { emailNorm, phoneE164 };
    const erased = { person: listed, identityKey, only: leadIds, leadId } as const;
    await suppress(tx, { ...erased, reason: 'erased', ...said, isInLedger: true });
    await recordLedgerEntry(tx, { kind: 'erased', ...erased, leadIds, at: now, reason });
    const messages = await eraseRows(tx, person, { by: actor.name, now, sealKey });
    if (isShared) await openPhoneTasks(tx, { emailNorm, phones: [phoneE164], identityKey, now });
    const lines = leadIds.map((id) => ({
      subject: { kind: 'lead', id },
      // Counts only: ids of leads with the same phone would reveal the erased person's phone.
      detail: { reason, leads: leadIds.length, ...(leftOut === 0 ? {} : { leftOut }) },
    }));
    await recordAuditOfEach(tx, { actor, ip, action: 'person.erase' }, lines);
    return { at: now.toISOString(), leadIds, consentRecords: recordIds.length, messages };
  });
  services.wakeSignal.wake();
  await clearMailFolder(services).catch((error: unknown) =>
    services.log.warn(
      { event: 'mail-outbox.clear-failed', err: error },
      'the folder of unsent mail still contains messages about an erased person; it is cleared later',
    ),
  );
  return receipt;
}

interface RowErasure {
  by: string;
  now: Date;
  /** The current `consent-seal` key. */
  sealKey: DataKey;
}

/**
 * Removes every personal value from leads that the transaction holds locked, and from evidence, records that consent
 * was withdrawn, and enqueues the notices. Returns how many. The caller lists the person in the suppression list first.
 */
export async function eraseRows(
  tx: Queryable,
  { leadIds, recordIds }: Pick<Person, 'leadIds' | 'recordIds'>,
  { by, now, sealKey }: RowErasure,
): Promise<number> {
  // Purged leads too: their links still work, and must not record an address later.
  await recordWithdrawals(tx, leadIds, { how: 'erasure', by, ip: null, now });
  const messages = await enqueueErasureNotices(tx, leadIds, now);
  await deleteReports(tx, { leadIds, recordIds });
  await eraseLeads(tx, leadIds, now);
  await eraseConsentRecords(tx, recordIds, { at: now, sealKey });
  // The entries stay without their leads: an entry that is found by another lead's phone must not name this one.
  await unlinkSuppressions(tx, leadIds);
  await deleteTasks(tx, leadIds);
  await forgetKeys(tx, leadIds);
  await deleteAnswers(tx, leadIds);
  await eraseWithdrawalAddresses(tx, leadIds);
  await forgetRemoteIds(tx);
  return messages;
}
