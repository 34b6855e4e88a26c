import { and, desc, eq } from 'drizzle-orm';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries, type DeliveryRow, leads } from '#server/db/schema/index.ts';

/** The latest delivery of a lead to the CRM, as a subquery to be joined laterally with `leads`. */
export function latestCrmDelivery(db: Queryable) {
  const { leadId, channel, template, state, reason, nextAttemptAt, leasedUntil, createdAt } = deliveries;
  return db
    .select({ state, reason, nextAttemptAt, leasedUntil })
    .from(deliveries)
    .where(and(eq(leadId, leads.id), eq(channel, 'crm'), eq(template, 'lead')))
    .orderBy(desc(createdAt))
    .limit(1)
    .as('crm_delivery');
}

type CrmDeliveryRow = Pick<DeliveryRow, 'state' | 'reason' | 'nextAttemptAt' | 'leasedUntil'>;

/** A delivery to the CRM as staff see it. While an attempt is in progress, there is no next one. */
export function toCrmDelivery(row: CrmDeliveryRow | null): AdminLead['crmDelivery'] {
  if (row === null) return null;
  const { state, reason, nextAttemptAt, leasedUntil } = row;
  return {
    state,
    reason,
    nextAttemptAt: leasedUntil === null ? (nextAttemptAt?.toISOString() ?? null) : null,
  };
}
