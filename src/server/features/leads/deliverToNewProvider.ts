import { leadChannels } from '#shared/admin/deliveries.ts';
import type { Queryable } from '#server/db/connect.ts';
import type { Services } from '#server/services.ts';
import { moveDeliveries } from '../outbox/cancelDeliveries.ts';
import { clearFailureFlags, updateCrmStatus } from '../outbox/leadStatus.ts';
import { planDeliveries, rowsOf } from '../outbox/planDeliveries.ts';
import { insertDeliveries } from '../outbox/repeats.ts';

interface NewProvider {
  services: Pick<Services, 'channels' | 'now'>;
  /** Who assigned them. */
  by: string;
  /** Null: none, as the provider returned them. */
  providerId: number | null;
  /** Whether the person, who knows of another provider or of none, gets an email too. */
  tellsLead?: boolean;
}

interface Given {
  id: number;
  /** Nothing of a quarantined lead is delivered. */
  quarantinedAt: Date | null;
}

/**
 * Delivers leads to their new provider, in the transaction that assigned them: a message to the provider (one a day
 * about one person), none to the previous one any more, and an update of the CRM, by the delivery that is queued for it
 * or by one more.
 */
export async function deliverToNewProvider(
  tx: Queryable,
  { services: { channels, now }, by, providerId, tellsLead = false }: NewProvider,
  given: readonly Given[],
): Promise<void> {
  const at = now();
  const leadIds = given.filter(({ quarantinedAt }) => quarantinedAt === null).map(({ id }) => id);
  if (leadIds.length === 0) return;
  const moved = new Set(await moveDeliveries(tx, leadIds, { providerId, now: at }));
  const rows = leadIds.flatMap((leadId) =>
    rowsOf(
      planDeliveries({
        channels,
        providerId,
        now: at,
        of: leadChannels.filter(
          (channel) => channel === 'provider-email' || (channel === 'crm' ? !moved.has(leadId) : tellsLead),
        ),
      }),
      { leadId, createdAt: at, requestedBy: by },
    ),
  );
  await insertDeliveries(tx, rows, at);
  await clearFailureFlags(tx, leadIds);
  await updateCrmStatus(tx, leadIds);
}
