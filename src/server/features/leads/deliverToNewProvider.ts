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
  /** Who moved the leads. */
  by: string;
  /** Null: the previous provider returned them, and no other takes them. */
  providerId: number | null;
  /** Whether the person, who knows another provider or none, gets an email as well. */
  emailsLead?: boolean;
}

interface MovedLead {
  id: number;
  /** A quarantined lead has no deliveries. */
  quarantinedAt: Date | null;
}

/**
 * Delivers moved leads, in the transaction that moved them: an email to the new provider (one a day for each person), and
 * the CRM by the delivery that is still queued or by a new one. Cancels what was waiting for the previous provider.
 */
export async function deliverToNewProvider(
  tx: Queryable,
  { services: { channels, now }, by, providerId, emailsLead = false }: NewProvider,
  moved: readonly MovedLead[],
): Promise<void> {
  const at = now();
  const leadIds = moved.filter(({ quarantinedAt }) => quarantinedAt === null).map(({ id }) => id);
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
          (channel) => channel === 'provider-email' || (channel === 'crm' ? !known.has(leadId) : emailsLead),
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
