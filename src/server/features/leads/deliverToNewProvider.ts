import { leadChannels } from '#shared/admin/deliveries.ts';
import type { Queryable } from '#server/db/connect.ts';
import type { Services } from '#server/services.ts';
import { moveDeliveries } from '../outbox/cancelDeliveries.ts';
import { clearFailureFlags, updateCrmStatus } from '../outbox/leadStatus.ts';
import { planDeliveries, rowsOf } from '../outbox/planDeliveries.ts';
import { insertDeliveries } from '../outbox/repeats.ts';

interface NewProvider {
  services: Pick<Services, 'channels' | 'now'>;
  /** Who gave them. */
  by: string;
  /** Null: to nobody, as the clinic gave them back. */
  providerId: number | null;
  /** Whether the lead's author, who knows of another clinic or of none, is told as well. */
  tellsLead?: boolean;
}

interface Given {
  id: number;
  /** Nothing of a quarantined lead is delivered. */
  quarantinedAt: Date | null;
}

/**
 * What follows from giving leads to a clinic, within that change: the clinic is told (once a day of one person), the one that would have been isn't any more, and the CRM
 * learns of it, by what is still queued for it or by one more delivery.
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
