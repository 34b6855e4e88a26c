import type { Caller } from '#server/caller.ts';
import type { Services } from '#server/services.ts';
import { revokeConsent } from '../leads/changes/revokeConsent.ts';
import { cancelLeadDeliveries, noConsentReason } from '../outbox/cancelDeliveries.ts';
import { enqueueWithdrawalNotices } from '../outbox/notices.ts';
import { listLeadsByKey } from '../submissions/idempotency.ts';
import { closeTasks } from '../suppression/staffTasks.ts';
import { recordWithdrawals } from './suppress.ts';

/**
 * Withdraws one request from the browser that sent it, which its idempotency key proves. It proves no mailbox: a
 * stranger may have typed the address. So, unlike a link in a message, it lists nobody and leaves other leads as they
 * are. The lead no longer has its person's consent, so nothing about it is delivered any more; a provider that may have
 * it gets a notice. False if no lead of this host has the key any more. A second call changes nothing.
 */
export async function withdrawRequest(
  { db, now, limits }: Pick<Services, 'db' | 'now' | 'limits'>,
  { ip, site, responseHeaders }: Pick<Caller, 'ip' | 'site' | 'responseHeaders'>,
  key: string,
): Promise<boolean> {
  await limits.leads.take(ip, 'withdrawal', responseHeaders);
  const at = now();
  const leadIds = await listLeadsByKey(db, site.host, { explicit: key, now: at });
  if (leadIds.length === 0) return false;
  await db.transaction(async (tx) => {
    const revoked: number[] = [];
    for (const leadId of leadIds) if (await revokeConsent(tx, leadId)) revoked.push(leadId);
    if (revoked.length === 0) return;
    await cancelLeadDeliveries(tx, revoked, { reason: noConsentReason, now: at });
    await closeTasks(tx, { leadIds: revoked }, { by: 'Visitor', now: at });
    await recordWithdrawals(tx, revoked, { how: 'page', by: 'Visitor', ip, now: at });
    await enqueueWithdrawalNotices(tx, revoked, { now: at, since: at });
  });
  return true;
}
