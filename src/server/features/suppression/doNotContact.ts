import { notFound } from '../../errors.ts';
import type { Deed } from '../adminLeads/leadChanges.ts';
import { recordAuditOfEach } from '../staff/audit.ts';
import { suppress } from './suppressions.ts';
import { findPerson } from './withdraw.ts';

/**
 * A staff member's word that a lead's author wants no contact (said on the phone, a STOP in answer to a message): the same as if they had withdrawn
 * themselves. Returns all of the person's leads. Throws NOT_FOUND 'Lead not found'.
 */
export function markDoNotContact(
  { services: { db, now }, actor, ip }: Deed,
  leadId: number,
): Promise<{ leadIds: number[] }> {
  return db.transaction(async (tx) => {
    const person = await findPerson(tx, leadId);
    if (person === null) throw notFound('Lead');
    const { leadIds } = await suppress(tx, {
      person,
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
