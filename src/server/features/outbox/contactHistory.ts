import { and, desc, eq, gt, isNotNull } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries, type LeadRow, leads } from '#server/db/schema/index.ts';
import type { ContactHistory } from './types.ts';

/** The contacts of newer leads, by the CRM's ids of them. Read only when a CRM asks. */
export function contactHistory(db: Queryable, lead: Pick<LeadRow, 'id' | 'emailNorm'>): ContactHistory {
  const { channel, leadId, remoteId } = deliveries;
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
  };
}
