import { dayMs } from '#shared/formats/time.ts';
import type { Caller } from '#server/caller.ts';
import type { Services } from '#server/services.ts';
import { recordAuditOnce, visitor } from '../../audit/audit.ts';
import { listLeadsByKey } from '../../submissions/idempotency.ts';

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
  const leadIds = await listLeadsByKey(db, caller.site.host, { explicit: key, now: now() });
  for (const id of leadIds) {
    const subject = { kind: 'lead', id } as const;
    await recordAuditOnce(db, { actor: visitor, ip: null, action: 'lead.called', subject }, dayMs);
  }
  return leadIds.length > 0;
}
