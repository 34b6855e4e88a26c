import { dayMs } from '#shared/formats/time.ts';
import type { Caller } from '#server/caller.ts';
import type { Services } from '#server/services.ts';
import { recordAuditOnce } from '../../audit/audit.ts';
import { findLeadByKey } from '../../submissions/idempotency.ts';

/**
 * Adds to a lead's history, once a day, that its visitor called the provider. The idempotency key of the lead proves
 * who sent it: only that browser knows it. False if no lead of this host has the key any more.
 */
export async function recordVisitorCall(
  { db, now, limits }: Pick<Services, 'db' | 'now' | 'limits'>,
  caller: Caller,
  key: string,
): Promise<boolean> {
  await limits.leads.take(caller.ip, 'preview', caller.responseHeaders);
  const leadId = await findLeadByKey(db, caller.site.host, { explicit: key, now: now() });
  if (leadId === null) return false;
  const entry = {
    actor: { kind: 'visitor' as const, name: 'Visitor' },
    ip: null,
    action: 'lead.called' as const,
    subject: { kind: 'lead', id: leadId },
  };
  await recordAuditOnce(db, entry, dayMs);
  return true;
}
