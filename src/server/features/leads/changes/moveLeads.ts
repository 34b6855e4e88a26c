import { sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { leads, type LeadRow } from '#server/db/schema/index.ts';
import { buildAssignmentDetail } from './assignment.ts';
import { leadMoved } from '../leadEvents.ts';
import { outcomeAfterMove } from './leadOutcomes.ts';
import { recordEvents } from '../../webhooks/recordEvents.ts';
import type { Match } from '../../matching/match.ts';
import type { Services } from '#server/services.ts';
import { recordAuditOfEach, system } from '../../audit/audit.ts';
import { leadChannels } from '#shared/admin/deliveries.ts';
import { moveDeliveries } from '../../outbox/cancelDeliveries.ts';
import { channelRules } from '../../outbox/channelRules.ts';
import { clearFailureFlags, updateCrmStatus } from '../../outbox/leadStatus.ts';
import { planDeliveries, toRows } from '../../outbox/enqueueDeliveries.ts';
import { insertDeliveries } from '../../outbox/repeats.ts';

/** The columns that rematching reads of a locked lead. */
export const rematchColumns = {
  id: leads.id,
  zip5: leads.zip5,
  zipCode: leads.zipCode,
  providerId: leads.providerId,
  matchMethod: leads.matchMethod,
  matchReason: leads.matchReason,
  matchDistanceMiles: leads.matchDistanceMiles,
  quarantinedAt: leads.quarantinedAt,
} as const;
export type RematchLead = Pick<LeadRow, keyof typeof rematchColumns>;

export interface Rematched {
  lead: RematchLead;
  match: Match;
}

/**
 * Moves leads that the transaction holds locked to the providers they were matched with, or to none. Writes an audit
 * entry and the deliveries to the new provider for each.
 */
export async function reassignLeads(
  tx: Queryable,
  services: Pick<Services, 'channels' | 'now'>,
  rematched: readonly Rematched[],
): Promise<void> {
  if (rematched.length === 0) return;
  const moves = rematched.map(({ lead, match }) => ({
    id: lead.id,
    provider_id: match.providerId,
    method: match.method,
    reason: match.reason,
    miles: match.distanceMiles,
  }));
  await tx.execute(sql`
    update leads set provider_id = move.provider_id, match_method = move.method, match_reason = move.reason, match_distance_miles = move.miles,
      updated_at = now(), outcome = ${outcomeAfterMove(sql`move.provider_id`)}
    from json_to_recordset(${JSON.stringify(moves)}::json) as move (id bigint, provider_id bigint, method text, reason text, miles float8)
    where leads.id = move.id`);
  const lines = rematched.map(({ lead, match }) => ({
    subject: { kind: 'lead', id: lead.id },
    detail: buildAssignmentDetail(lead, { providerId: match.providerId, miles: match.distanceMiles }),
  }));
  await recordAuditOfEach(tx, { actor: system, ip: null, action: 'lead.rematch' }, lines);
  await recordEvents(
    tx,
    rematched.flatMap(({ lead, match }) =>
      leadMoved({ ...lead, providerId: match.providerId }, lead.providerId),
    ),
  );
  const byProvider = Map.groupBy(rematched, ({ match }) => match.providerId);
  for (const [providerId, group] of byProvider)
    await deliverToNewProvider(
      tx,
      { services, by: system.name, providerId, emailsLead: providerId !== null },
      group.map(({ lead }) => lead),
    );
}

interface NewProvider {
  services: Pick<Services, 'channels' | 'now'>;
  /** Who moved the leads. */
  by: string;
  /** Null if the previous provider returned them and no other was found. */
  providerId: number | null;
  /** Nothing leaves before; left out, all leaves as soon as possible. */
  dueAt?: Date | undefined;
  /** Whether the person, who knows another provider or none, gets an email as well. */
  emailsLead?: boolean;
}

interface MovedLead {
  id: number;
  /** A quarantined lead has no deliveries. */
  quarantinedAt: Date | null;
}

/**
 * Delivers moved leads, in the transaction that moved them: an email to the new provider (the same contact details once
 * a day), and the CRM by the delivery that is still queued or by a new one. Cancels what was waiting for the previous
 * provider. Returns the new deliveries.
 */
export async function deliverToNewProvider(
  tx: Queryable,
  { services: { channels, now }, by, providerId, dueAt, emailsLead = false }: NewProvider,
  moved: readonly MovedLead[],
): Promise<{ id: string; leadId: number }[]> {
  const at = now();
  const leadIds = moved.filter(({ quarantinedAt }) => quarantinedAt === null).map(({ id }) => id);
  if (leadIds.length === 0) return [];
  const renamed = new Set(await moveDeliveries(tx, leadIds, { providerId, now: at, notBefore: dueAt }));
  const rows = leadIds.flatMap((leadId) =>
    toRows(
      planDeliveries({
        channels,
        providerId,
        now: at,
        ...(dueAt === undefined ? {} : { dueAt }),
        of: leadChannels.filter((channel) => {
          const { recipient } = channelRules[channel];
          if (recipient === 'person') return emailsLead;
          return recipient === 'provider' || !renamed.has(leadId);
        }),
      }),
      { leadId, createdAt: at, requestedBy: by },
    ),
  );
  await insertDeliveries(tx, rows, at);
  await clearFailureFlags(tx, leadIds);
  await updateCrmStatus(tx, leadIds);
  return rows;
}
