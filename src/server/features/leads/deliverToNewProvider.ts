import { and, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import { leadChannels } from '#shared/admin/deliveries.ts';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { clearFailureFlags } from '../outbox/leadStatus.ts';
import { goneElsewhereReason } from '../outbox/cancelDeliveries.ts';
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
  const ofLeads = and(inArray(deliveries.leadId, leadIds), eq(deliveries.template, 'lead'));
  const isWaiting = inArray(deliveries.state, ['queued', 'held']);
  const isToProvider = eq(deliveries.channel, 'provider-email');
  // What failed must not be tried again either: it is about the old clinic.
  const hasFailed = and(
    eq(deliveries.state, 'failed'),
    inArray(deliveries.channel, ['provider-email', 'crm']),
  );
  await tx
    .update(deliveries)
    .set({ state: 'cancelled', reason: goneElsewhereReason, nextAttemptAt: null, finishedAt: at })
    .where(and(ofLeads, or(and(isWaiting, isToProvider), hasFailed)));
  // One that is being tried right now may have told the old clinic's name already.
  const untouched = or(isNull(deliveries.leasedUntil), lte(deliveries.leasedUntil, at));
  const renamed = await tx
    .update(deliveries)
    .set({ providerId })
    .where(and(ofLeads, isWaiting, eq(deliveries.channel, 'crm'), untouched))
    .returning({ leadId: sql<number>`${deliveries.leadId}`.mapWith(Number) });
  const known = new Set(renamed.map(({ leadId }) => leadId));
  const rows = leadIds.flatMap((leadId) =>
    rowsOf(
      planDeliveries({
        channels,
        providerId,
        now: at,
        of: leadChannels.filter(
          (channel) => channel === 'provider-email' || (channel === 'crm' ? !known.has(leadId) : tellsLead),
        ),
      }),
      { leadId, createdAt: at, requestedBy: by },
    ),
  );
  await insertDeliveries(tx, rows, at);
  await clearFailureFlags(tx, leadIds);
  const pushed = leadIds.filter((id) => !known.has(id));
  if (pushed.length > 0)
    await tx.execute(
      sql`update leads set crm_sync_status = 'pending' where id = any (${sql.param(pushed)}::bigint[]) and crm_sync_status is distinct from 'pending'`,
    );
}
