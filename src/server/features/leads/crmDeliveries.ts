import { and, desc, eq, sql } from 'drizzle-orm';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries } from '#server/db/schema/index.ts';

type CrmDelivery = NonNullable<AdminLead['crmDelivery']>;

/** The latest delivery of each of these leads to the CRM. Leads without one are omitted. */
export async function listCrmDeliveries(
  db: Queryable,
  leadIds: readonly number[],
): Promise<Map<number, CrmDelivery>> {
  const { leadId, channel, template, state, reason, nextAttemptAt, leasedUntil, createdAt } = deliveries;
  const rows = await db
    .selectDistinctOn([leadId], {
      leadId: sql<number>`${leadId}`.mapWith(Number),
      state,
      reason,
      nextAttemptAt,
      leasedUntil,
    })
    .from(deliveries)
    .where(
      and(
        sql`${leadId} = any (${sql.param([...leadIds])}::bigint[])`,
        eq(channel, 'crm'),
        eq(template, 'lead'),
      ),
    )
    .orderBy(leadId, desc(createdAt));
  return new Map(
    rows.map((row) => [
      row.leadId,
      {
        state: row.state,
        reason: row.reason,
        nextAttemptAt: row.leasedUntil === null ? (row.nextAttemptAt?.toISOString() ?? null) : null,
      },
    ]),
  );
}
