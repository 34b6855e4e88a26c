import { and, inArray, isNotNull } from 'drizzle-orm';
import type { z } from 'zod';
import type { EraseInput, eraseOutput } from '#shared/admin/erasure.ts';
import type { Queryable } from '#server/db/connect.ts';
import { consentWithdrawals, staffTasks, suppressions } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { eraseConsentRecords } from '../consent/consentErasure.ts';
import { lockPersons } from '../identity/personLocks.ts';
import type { Actor } from '../auth/actor.ts';
import { recordAuditOfEach } from '../audit/audit.ts';
import { eraseLeads, lockWithRepeats } from '../leads/eraseLeads.ts';
import { deleteAnswers, enqueueErasureNotices, forgetRemoteIds } from '../outbox/notices.ts';
import { forgetKeys } from '../submissions/idempotency.ts';
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
    await lockPersons(tx, [found]);
    await lockWithRepeats(tx, found.leadIds);
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
    const messages = await enqueueErasureNotices(tx, leadIds, now);
    await eraseLeads(tx, leadIds, now);
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

async function dropDetails(tx: Queryable, leadIds: Person['leadIds']): Promise<void> {
  // The list stays; which lead it is about could be told by whoever has the phone of a lead that was left out.
  await tx.update(suppressions).set({ leadId: null }).where(inArray(suppressions.leadId, leadIds));
  await tx.delete(staffTasks).where(inArray(staffTasks.leadId, leadIds));
  await forgetKeys(tx, leadIds);
  await deleteAnswers(tx, leadIds);
  await tx
    .update(consentWithdrawals)
    .set({ ip: null })
    .where(and(inArray(consentWithdrawals.leadId, leadIds), isNotNull(consentWithdrawals.ip)));
}
