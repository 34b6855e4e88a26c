import { and, desc, eq, sql } from 'drizzle-orm';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import type { LeadChannel } from '#shared/admin/deliveries.ts';
import type { Queryable } from '#server/db/connect.ts';
import {
  deliveries,
  type DeliveryRow,
  leads,
  type LeadRow,
  providers,
  type ProviderRow,
} from '#server/db/schema/index.ts';
import { type LeadTrack, trackColumns } from '../mail/leadTrack.ts';
import { leadFieldColumns, readAnswers, readLeadFields } from '../identity/leadFieldValues.ts';

/** The columns of a lead that staff see in a list, to be joined with its provider's. */
export const leadColumns = {
  id: leads.id,
  ...leadFieldColumns,
  answers: leads.answers,
  providerId: leads.providerId,
  providerName: providers.name,
  providerStatus: providers.status,
  createdAt: leads.createdAt,
  updatedAt: leads.updatedAt,
  deletedAt: leads.deletedAt,
  crmSyncStatus: leads.crmSyncStatus,
  matchMethod: leads.matchMethod,
  matchReason: leads.matchReason,
  matchDistanceMiles: leads.matchDistanceMiles,
  duplicateOf: leads.duplicateOf,
  quarantineReason: leads.quarantineReason,
  filledHoneypot: leads.filledHoneypot,
  outcome: leads.outcome,
  followUpOn: leads.followUpOn,
  erasedAt: leads.erasedAt,
  clinicNotReached: leads.clinicNotReached,
  ...trackColumns(sql`leads.provider_id`),
} as const;

type OtherColumn = 'providerName' | 'providerStatus' | keyof LeadTrack;
type ListedLead = Pick<LeadRow, Exclude<keyof typeof leadColumns, OtherColumn>> &
  LeadTrack & {
    providerName: ProviderRow['name'] | null;
    providerStatus: ProviderRow['status'] | null;
  };

/** A lead as staff see it, under the specification's names. Lists the fields, so that no new column is published. */
export function toAdminLead(
  row: ListedLead,
  { crm, provider }: { crm: LatestDelivery; provider: LatestDelivery },
): AdminLead {
  const { providerName: name, providerStatus: status } = row;
  return {
    id: row.id,
    ...readLeadFields(row, 'drawer'),
    ...readAnswers(row, 'drawer'),
    provider_id: row.providerId,
    provider: name === null || status === null ? null : { name, status },
    created_at: row.createdAt.toISOString(),
    updated_at: (row.updatedAt ?? row.createdAt).toISOString(),
    deleted_at: row.deletedAt?.toISOString() ?? null,
    crm_sync_status: row.crmSyncStatus,
    crmDelivery: toDelivery(crm),
    providerDelivery: toDelivery(provider),
    clinicNotReached: row.clinicNotReached,
    stage: {
      receivedAt: row.createdAt.toISOString(),
      sentAt: row.sent?.toISOString() ?? null,
      reachedAt: row.reached?.toISOString() ?? null,
      bookedAt: row.booked?.toISOString() ?? null,
      isBroken: row.clinicNotReached,
      hasOutcome: row.outcome !== null,
    },
    match: { method: row.matchMethod, reason: row.matchReason, miles: row.matchDistanceMiles },
    isRepeat: row.duplicateOf !== null,
    quarantineReason: row.quarantineReason,
    filledHoneypot: row.filledHoneypot === true,
    isErased: row.erasedAt !== null,
    outcome: row.outcome,
    followUpOn: row.followUpOn,
  };
}

/** The latest delivery of a lead by a channel, as a subquery to be joined laterally with `leads`. */
export function latestDelivery(db: Queryable, by: LeadChannel) {
  const { leadId, channel, template, state, reason, nextAttemptAt, leasedUntil, createdAt } = deliveries;
  return db
    .select({ state, reason, nextAttemptAt, leasedUntil })
    .from(deliveries)
    .where(and(eq(leadId, leads.id), eq(channel, by), eq(template, 'lead')))
    .orderBy(desc(createdAt))
    .limit(1)
    .as(`latest_${by.replaceAll('-', '_')}`);
}

type LatestDelivery = Pick<DeliveryRow, 'state' | 'reason' | 'nextAttemptAt' | 'leasedUntil'> | null;

/** A delivery as staff see it. While an attempt is in progress, there is no next one. */
function toDelivery(row: LatestDelivery): AdminLead['crmDelivery'] {
  if (row === null) return null;
  const { state, reason, nextAttemptAt, leasedUntil } = row;
  return {
    state,
    reason,
    nextAttemptAt: leasedUntil === null ? (nextAttemptAt?.toISOString() ?? null) : null,
  };
}

/** A lead as its reader may see it: a token must not read the name of the person who assigned the lead. */
export function leadFor(reader: { kind: string }, lead: AdminLead): AdminLead {
  return reader.kind === 'token' ? { ...lead, match: withoutName(lead.match) } : lead;
}

function withoutName(match: AdminLead['match']): AdminLead['match'] {
  const reason =
    match.method === 'manual'
      ? match.reason.replace(/^Assigned by .*?(?=, [\d,.]+ miles from the center of |\.$)/s, 'Assigned')
      : match.reason.replace(/^(Taken away from its provider) by .*\.$/s, '$1.');
  return { ...match, reason };
}
