import { and, eq, exists, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { suppressedReason } from '#shared/leads/suppression.ts';
import type { Queryable } from '#server/db/connect.ts';
import {
  deliveries,
  type DeliveryRow,
  deliveryAttempts,
  type LeadRow,
  type ProviderRow,
} from '#server/db/schema/index.ts';
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

/** Whether a try of the channel to tell of the lead was never answered, or never written down: its process died, and the erasure called it off. */
export async function wasUnanswered(
  db: Queryable,
  { leadId, channel }: Pick<DeliveryRow, 'leadId' | 'channel'>,
): Promise<boolean> {
  const unanswered = db
    .select({ one: sql`1` })
    .from(deliveryAttempts)
    .where(
      and(
        eq(deliveryAttempts.deliveryId, deliveries.id),
        eq(deliveryAttempts.outcome, 'failed'),
        isNull(deliveryAttempts.status),
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
        or(isNotNull(deliveries.leasedUntil), exists(unanswered)),
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
