import { notFound } from '#server/errors.ts';
import type { StaffAction } from '../leads/leadChanges.ts';
import { recordAuditOfEach } from '../audit/audit.ts';
import { suppress } from './suppress.ts';
import { findPerson } from './withdrawByLink.ts';

/**
 * A staff member's decision that nobody contacts a lead's author any more (said on the phone, a STOP in answer to a message): e-mail address and phone
 * number both go on the list. Returns every lead with either. Throws NOT_FOUND 'Lead not found'.
 */
export async function markDoNotContact(
  { services: { db, dataKeys, now }, actor, ip }: StaffAction,
  leadId: number,
): Promise<{ leadIds: number[] }> {
  const { key: identityKey } = await dataKeys.current('identity');
  return db.transaction(async (tx) => {
    const person = await findPerson(tx, leadId);
    if (person === null) throw notFound('Lead');
    const { leadIds } = await suppress(tx, {
      person,
      identityKey,
      leadId,
      reason: 'do-not-contact',
      how: 'staff',
      by: actor.name,
      ip,
      now: now(),
    });
    const lines = leadIds.map((id) => ({ subject: { kind: 'lead', id } }));
    await recordAuditOfEach(tx, { actor, ip, action: 'lead.suppress' }, lines);
    return { leadIds };
  });
}
