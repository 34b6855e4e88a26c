import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { leads, type LeadRow } from '#server/db/schema/index.ts';
import { assignmentTold } from './assignment.ts';
import { leadMoved } from './leadEvents.ts';
import { recordEvents } from '../webhooks/recordEvents.ts';
import type { Match } from '../matching/match.ts';
import type { Services } from '#server/services.ts';
import { deliverToNewProvider } from './deliverToNewProvider.ts';
import { recordAuditOfEach, system } from '../audit/audit.ts';

/** What is read of a lead, under a lock, that is to be matched again. */
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
 * Gives leads that the transaction holds locked to whom they were matched with, or to nobody, each with its line in the audit log and its deliveries to
 * the new clinic.
 */
export async function reassignLeads(
  tx: Queryable,
  services: Pick<Services, 'channels' | 'now'>,
  rematched: readonly Rematched[],
): Promise<void> {
  if (rematched.length === 0) return;
  const given = rematched.map(({ lead, match }) => ({
    id: lead.id,
    provider_id: match.providerId,
    method: match.method,
    reason: match.reason,
    miles: match.distanceMiles,
  }));
  await tx.execute(sql`
    update leads set provider_id = given.provider_id, match_method = given.method, match_reason = given.reason, match_distance_miles = given.miles,
      outcome = ${outcomeAfterMove(sql`given.provider_id`)}
    from json_to_recordset(${JSON.stringify(given)}::json) as given (id bigint, provider_id bigint, method text, reason text, miles float8)
    where leads.id = given.id`);
  const lines = rematched.map(({ lead, match }) => ({
    subject: { kind: 'lead', id: lead.id },
    detail: assignmentTold(lead, { providerId: match.providerId, miles: match.distanceMiles }),
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
      { services, by: system.name, providerId, tellsLead: providerId !== null },
      group.map(({ lead }) => lead),
    );
}

/**
 * The `outcome` of a lead that an `update leads` moves to a provider: what that provider reported last, if it had the lead
 * before. It stays as it is where the provider does not change, or the lead moves to none.
 */
export function outcomeAfterMove(providerId: SQL): SQL {
  return sql`case when ${providerId} is null or ${providerId} is not distinct from leads.provider_id then leads.outcome else (
    select reported.outcome from lead_outcomes reported
    where reported.lead_id = leads.id and reported.provider_id = ${providerId} order by reported.id desc limit 1) end`;
}
