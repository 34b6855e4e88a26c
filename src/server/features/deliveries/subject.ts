import { and, eq, exists, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { Queryable } from '../../db/connect.ts';
import { preparedOnce } from '../../db/preparedOnce.ts';
import {
  deliveries,
  type DeliveryRow,
  deliveryTries,
  type LeadRow,
  leads,
  type ProviderRow,
  providers,
} from '../../db/schema/index.ts';
import { isLeadSuppressed } from '../suppression/suppressions.ts';
import { suppressedReason } from '../suppression/withdrawal.ts';
import { goneElsewhereReason, leadDeletedReason } from './cancelDeliveries.ts';

/** Whom a delivery is about, as things stand now. */
export interface Subject {
  lead: LeadRow;
  provider: ProviderRow | null;
  isSuppressed: boolean;
  /** What the far side calls it: a CRM's contact is the lead's, whichever delivery it came from. */
  remoteId: string | null;
  /** Whether the channel has had this lead before, by another delivery. */
  isKnown: boolean;
  /** Of an erasure: a try to bring the lead there ended without an answer. */
  isUnanswered: boolean;
}

const others = sql`from ${deliveries} o where o.lead_id = ${leads.id} and o.channel = ${sql.placeholder('channel')} and o.id <> ${sql.placeholder('id')}`;

const subjectQuery = preparedOnce((db) =>
  db
    .select({
      lead: leads,
      provider: providers,
      isSuppressed: isLeadSuppressed,
      isKnown: sql<boolean>`exists (select 1 ${others} and o.state = 'delivered')`,
      contactId: sql<
        string | null
      >`(select o.remote_id ${others} and o.remote_id is not null order by o.created_at desc limit 1)`,
    })
    .from(leads)
    .leftJoin(providers, eq(providers.id, sql.placeholder('providerId')))
    .where(eq(leads.id, sql.placeholder('leadId')))
    .prepare('delivery_subject'),
);

/** Null when the lead was purged meanwhile. */
export async function loadSubject(db: Queryable, delivery: DeliveryRow): Promise<Subject | null> {
  const { id, leadId, providerId, channel } = delivery;
  const [row] = await subjectQuery(db).execute({ id, leadId, providerId, channel });
  if (row === undefined) return null;
  const { contactId, ...found } = row;
  const ofLead = delivery.channel === 'crm' ? contactId : null;
  return {
    ...found,
    isUnanswered: delivery.template === 'erased' && (await wasUnanswered(db, delivery)),
    remoteId: delivery.remoteId ?? ofLead,
  };
}

/** Whether a try of the channel to tell of the lead was never answered, or never written down: its process died, and the erasure called it off. */
async function wasUnanswered(
  db: Queryable,
  { leadId, channel }: Pick<DeliveryRow, 'leadId' | 'channel'>,
): Promise<boolean> {
  const unanswered = db
    .select({ one: sql`1` })
    .from(deliveryTries)
    .where(
      and(
        eq(deliveryTries.deliveryId, deliveries.id),
        eq(deliveryTries.outcome, 'failed'),
        isNull(deliveryTries.status),
      ),
    );
  const found = await db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.leadId, leadId),
        eq(deliveries.channel, channel),
        eq(deliveries.template, 'lead'),
        or(isNotNull(deliveries.claimedUntil), exists(unanswered)),
      ),
    )
    .limit(1);
  return found.length > 0;
}

/**
 * Why nothing may be delivered about somebody, as a sentence; null: it may. That a person withdrew, or was erased, may always be told to whoever had
 * the lead.
 */
export function obstacleTo(
  { template, channel, providerId }: Pick<DeliveryRow, 'template' | 'channel' | 'providerId'>,
  { lead, isSuppressed: isStopped }: Subject,
): string | null {
  if (template !== 'lead') return null;
  if (lead.deletedAt !== null) return leadDeletedReason;
  if (channel !== 'lead-email' && providerId !== lead.providerId) return goneElsewhereReason;
  if (lead.quarantinedAt !== null) return 'The lead is in quarantine.';
  if (!lead.acceptanceConsent) return 'The person has not agreed to be contacted.';
  return isStopped ? suppressedReason : null;
}
