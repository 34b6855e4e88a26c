import { eq, sql } from 'drizzle-orm';
import type { Queryable } from '../../db/connect.ts';
import {
  deliveries,
  type DeliveryRow,
  type LeadRow,
  leads,
  type ProviderRow,
  providers,
} from '../../db/schema/index.ts';
import { isSuppressed } from '../suppression/suppressions.ts';
import { suppressedReason } from '../suppression/withdrawal.ts';
import { leadDeletedReason } from './cancelDeliveries.ts';

/** Whom a delivery is about, as things stand now. */
export interface Subject {
  lead: LeadRow;
  provider: ProviderRow | null;
  isSuppressed: boolean;
  /** What the far side calls it: a CRM's contact is the lead's, whichever delivery it came from. */
  remoteId: string | null;
  /** Whether the channel has had this lead before, by another delivery. */
  isKnown: boolean;
}

/** Null when the lead was purged meanwhile. */
export async function loadSubject(db: Queryable, delivery: DeliveryRow): Promise<Subject | null> {
  const others = sql`from ${deliveries} o where o.lead_id = ${leads.id} and o.channel = ${delivery.channel} and o.id <> ${delivery.id}`;
  const [row] = await db
    .select({
      lead: leads,
      provider: providers,
      isKnown: sql<boolean>`exists (select 1 ${others} and o.state = 'delivered')`,
      contactId: sql<
        string | null
      >`(select o.remote_id ${others} and o.remote_id is not null order by o.created_at desc limit 1)`,
    })
    .from(leads)
    .leftJoin(providers, eq(providers.id, delivery.providerId ?? 0))
    .where(eq(leads.id, delivery.leadId));
  if (row === undefined) return null;
  const { lead, provider, isKnown, contactId } = row;
  const ofLead = delivery.channel === 'crm' ? contactId : null;
  return {
    lead,
    provider,
    isKnown,
    isSuppressed: await isSuppressed(db, lead),
    remoteId: delivery.remoteId ?? ofLead,
  };
}

/** Why nothing may be delivered about somebody, as a sentence; null: it may. That a person withdrew may always be told to the clinic. */
export function obstacleTo(
  { template }: Pick<DeliveryRow, 'template'>,
  { lead, isSuppressed: isStopped }: Subject,
): string | null {
  if (template === 'withdrawn') return null;
  if (lead.deletedAt !== null) return leadDeletedReason;
  if (lead.quarantinedAt !== null) return 'The lead is in quarantine.';
  if (!lead.acceptanceConsent) return 'The person has not agreed to be contacted.';
  return isStopped ? suppressedReason : null;
}
