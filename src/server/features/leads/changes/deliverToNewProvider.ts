import { leadChannels } from '#shared/admin/deliveries.ts';
import type { Queryable } from '#server/db/connect.ts';
import type { Services } from '#server/services.ts';
import { moveDeliveries } from '../../outbox/cancelDeliveries.ts';
import { channelRules } from '../../outbox/channelRules.ts';
import { clearFailureFlags, updateCrmStatus } from '../../outbox/leadStatus.ts';
import { planDeliveries, toRows } from '../../outbox/planDeliveries.ts';
import { insertDeliveries } from '../../outbox/repeats.ts';

interface NewProvider {
  services: Pick<Services, 'channels' | 'now'>;
  /** Who moved the leads. */
  by: string;
  /** Null if the previous provider returned them and no other was found. */
  providerId: number | null;
  /** Nothing leaves before; left out, all leaves as soon as possible. */
  dueAt?: Date | undefined;
  /** Whether the person, who knows another provider or none, gets an email as well. */
  emailsLead?: boolean;
}

interface MovedLead {
  id: number;
  /** A quarantined lead has no deliveries. */
  quarantinedAt: Date | null;
}

/**
 * Delivers moved leads, in the transaction that moved them: an email to the new provider (the same contact details once
 * a day), and the CRM by the delivery that is still queued or by a new one. Cancels what was waiting for the previous
 * provider. Returns the new deliveries.
 */
export async function deliverToNewProvider(
  tx: Queryable,
  { services: { channels, now }, by, providerId, dueAt, emailsLead = false }: NewProvider,
  moved: readonly MovedLead[],
): Promise<{ id: string; leadId: number }[]> {
  const at = now();
  const leadIds = moved.filter(({ quarantinedAt }) => quarantinedAt === null).map(({ id }) => id);
  if (leadIds.length === 0) return [];
  const renamed = new Set(await moveDeliveries(tx, leadIds, { providerId, now: at, notBefore: dueAt }));
  const rows = leadIds.flatMap((leadId) =>
    toRows(
      planDeliveries({
        channels,
        providerId,
        now: at,
        ...(dueAt === undefined ? {} : { dueAt }),
        of: leadChannels.filter((channel) => {
          const { recipient } = channelRules[channel];
          if (recipient === 'person') return emailsLead;
          return recipient === 'provider' || !renamed.has(leadId);
        }),
      }),
      { leadId, createdAt: at, requestedBy: by },
    ),
  );
  await insertDeliveries(tx, rows, at);
  await clearFailureFlags(tx, leadIds);
  await updateCrmStatus(tx, leadIds);
  return rows;
}
