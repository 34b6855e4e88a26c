import { and, eq, inArray } from 'drizzle-orm';
import { deliveries, leads } from '#server/db/schema/index.ts';
import type { InnerContext } from '#server/caller.ts';
import { plainAddress } from '../consent/consentHash.ts';
import type { Actor } from '../auth/actor.ts';
import { recordAuditOfEach } from '../audit/audit.ts';
import { requeue } from './requeue.ts';

/** Queues deliveries for staff, all or none, each with its line in the audit log; a lead pushed anew is pending. Returns those queued. */
export async function retryDeliveries(
  { services, caller, actor }: InnerContext & { actor: Actor },
  ids: readonly string[],
): Promise<string[]> {
  const ip = plainAddress(caller.ip);
  const { key: identityKey } = await services.dataKeys.current('identity');
  const queued = await services.db.transaction(async (tx) => {
    const done = await requeue(tx, ids, { now: services.now(), identityKey });
    const rows = await tx
      .select({ leadId: deliveries.leadId, channel: deliveries.channel })
      .from(deliveries)
      .where(inArray(deliveries.id, done));
    const pushed = rows.filter(({ channel }) => channel === 'crm').map(({ leadId }) => leadId);
    await tx
      .update(leads)
      .set({ crmSyncStatus: 'pending' })
      .where(and(inArray(leads.id, pushed), eq(leads.crmSyncStatus, 'failed')));
    const lines = rows.map(({ leadId, channel }) => ({
      subject: { kind: 'lead', id: leadId },
      detail: { what: channel === 'crm' ? 'sync' : 'email', channel, queued: true },
    }));
    await recordAuditOfEach(tx, { actor, ip, action: 'lead.retry' }, lines);
    return done;
  });
  services.outbox.wake();
  return queued;
}
