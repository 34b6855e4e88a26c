import { and, desc, eq, gt, isNotNull, lt, ne, or } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries, type LeadRow, leads } from '#server/db/schema/index.ts';
import type { ContactHistory } from './types.ts';

interface HistoryQuery {
  lead: Pick<LeadRow, 'id' | 'emailNorm'>;
  /** Of the attempt that asks. */
  leasedUntil: Date | null;
  now: Date;
}

/** The contacts of other leads, by the CRM's ids of them. Read only when a CRM asks. */
export function contactHistory(
  db: Queryable,
  { lead, leasedUntil: until, now }: HistoryQuery,
): ContactHistory {
  const { channel, leadId, leasedUntil, remoteId } = deliveries;
  const isNewer = and(eq(channel, 'crm'), gt(leadId, lead.id));
  return {
    async hasNewer(contactId) {
      const found = await db
        .select({ leadId })
        .from(deliveries)
        .where(and(isNewer, eq(remoteId, contactId)))
        .limit(1);
      return found.length > 0;
    },
    async findNewer() {
      const [found] = await db
        .select({ remoteId })
        .from(leads)
        .innerJoin(deliveries, eq(leadId, leads.id))
        .where(and(isNewer, isNotNull(remoteId), eq(leads.emailNorm, lead.emailNorm), gt(leads.id, lead.id)))
        .orderBy(desc(leads.id), desc(deliveries.createdAt))
        .limit(1);
      return found?.remoteId ?? null;
    },
    async isWaiting() {
      if (until === null) return false;
      const isFirst = or(lt(leasedUntil, until), and(eq(leasedUntil, until), gt(leads.id, lead.id)));
      const found = await db
        .select({ leadId })
        .from(leads)
        .innerJoin(deliveries, eq(leadId, leads.id))
        .where(
          and(
            ...[eq(leads.emailNorm, lead.emailNorm), ne(leads.id, lead.id)],
            ...[eq(channel, 'crm'), gt(leasedUntil, now), isFirst],
          ),
        )
        .limit(1);
      return found.length > 0;
    },
  };
}
