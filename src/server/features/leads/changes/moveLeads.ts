import { sql } from 'drizzle-orm';
import { leadChannels } from '#shared/admin/deliveries.ts';
import type { AuditAction } from '#shared/admin/audit.ts';
import type { Queryable } from '#server/db/connect.ts';
import type { LeadRow } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { type AuditActor, recordAuditOfEach, system } from '../../audit/audit.ts';
import type { Match } from '../../matching/match.ts';
import { moveDeliveries } from '../../outbox/cancelDeliveries.ts';
import { channelRules } from '../../outbox/channelRules.ts';
import { planDeliveries, toRows } from '../../outbox/enqueueDeliveries.ts';
import { clearFailureFlags, updateCrmStatus } from '../../outbox/leadStatus.ts';
import { insertDeliveries } from '../../outbox/repeats.ts';
import { recordEvents } from '../../webhooks/recordEvents.ts';
import { leadMoved } from '../leadEvents.ts';
import type { LockedLead } from '../../outbox/leadStatus.ts';
import { buildAssignmentDetail } from './assignment.ts';
import { outcomeAfterMove } from './leadOutcomes.ts';

/** A lead, as it was locked, and the provider that it moves to; null: it has none any more. */
export interface Move {
  lead: LockedLead;
  match: Omit<Match, 'method'> & Pick<LeadRow, 'matchMethod'>;
  /** The provider that the lead's consent names, if it is another one. */
  consentNames?: string | undefined;
}

interface MoveOptions {
  services: Pick<Services, 'channels' | 'now'>;
  actor: AuditActor;
  ip: string | null;
  getAction: (move: Move) => AuditAction;
  /** Nothing leaves before; left out, all leaves as soon as possible. */
  dueAt?: Date | undefined;
  /** Whether the person, who knows another provider or none, gets an email about a new provider as well. */
  emailsLead?: boolean;
}

interface Caused {
  id: string;
  leadId: number;
}

/** Moves locked leads, with an audit entry for each. Informs providers, CRM and endpoints if the provider changes. */
export async function moveLeads(
  tx: Queryable,
  moves: readonly Move[],
  options: MoveOptions,
): Promise<{ created: Caused[]; events: Caused[] }> {
  if (moves.length === 0) return { created: [], events: [] };
  await updateLeads(tx, moves);
  const { actor, ip, dueAt } = options;
  for (const [action, group] of Map.groupBy(moves, options.getAction))
    await recordAuditOfEach(
      tx,
      { actor, ip, action },
      group.map(({ lead, match, consentNames }) => ({
        subject: { kind: 'lead', id: lead.id },
        detail: buildAssignmentDetail(lead, {
          ...{ providerId: match.providerId, miles: match.distanceMiles, consentNames },
        }),
      })),
    );
  const events = moves
    .flatMap(({ lead, match: { providerId } }) => leadMoved({ ...lead, providerId }, lead.providerId))
    .map((event) => ({ ...event, ...(dueAt && { dueAt }) }));
  const eventIds = await recordEvents(tx, events);
  const away = moves.filter(({ lead, match }) => lead.providerId !== match.providerId);
  const created: Caused[] = [];
  for (const [providerId, group] of Map.groupBy(away, ({ match }) => match.providerId))
    created.push(...(await deliverToNewProvider(tx, group, { ...options, providerId })));
  return { created, events: eventIds.map((id, at) => ({ id, leadId: events[at]?.leadId ?? 0 })) };
}

/** Moves leads to the providers they were matched with again, or to none, without anybody's request. */
export async function rematchLeads(
  tx: Queryable,
  services: MoveOptions['services'],
  rematched: readonly { lead: LockedLead; match: Match }[],
): Promise<void> {
  const moves = rematched.map(({ lead, match: { method: matchMethod, ...match } }) => ({
    lead,
    match: { ...match, matchMethod },
  }));
  const getAction = (): AuditAction => 'lead.rematch';
  await moveLeads(tx, moves, { services, actor: system, ip: null, getAction, emailsLead: true });
}

async function updateLeads(tx: Queryable, moves: readonly Move[]): Promise<void> {
  const rows = moves.map(({ lead, match: { providerId, matchMethod, reason, distanceMiles } }) => ({
    ...{ id: lead.id, provider_id: providerId, method: matchMethod, reason, miles: distanceMiles },
  }));
  await tx.execute(sql`
    update leads set provider_id = move.provider_id, match_method = move.method, match_reason = move.reason, match_distance_miles = move.miles,
      updated_at = now(), outcome = ${outcomeAfterMove(sql`move.provider_id`)}
    from json_to_recordset(${JSON.stringify(rows)}::json) as move (id bigint, provider_id bigint, method text, reason text, miles float8)
    where leads.id = move.id`);
}

/**
 * Delivers moved leads: an email to the new provider (the same contact details once a day), and the queued or a new
 * delivery to the CRM. Cancels what waits for the previous provider. A quarantined lead has no deliveries.
 */
async function deliverToNewProvider(
  tx: Queryable,
  moved: readonly Move[],
  { services, actor, dueAt, emailsLead = false, providerId }: MoveOptions & { providerId: number | null },
): Promise<Caused[]> {
  const { channels, now } = services;
  const at = now();
  const leadIds = moved.flatMap(({ lead }) => (lead.quarantinedAt === null ? [lead.id] : []));
  if (leadIds.length === 0) return [];
  const renamed = new Set(await moveDeliveries(tx, leadIds, { providerId, now: at, notBefore: dueAt }));
  const rows = leadIds.flatMap((leadId) => {
    const of = leadChannels.filter((channel) => {
      const { recipient } = channelRules[channel];
      if (recipient === 'person') return emailsLead && providerId !== null;
      return recipient === 'provider' || !renamed.has(leadId);
    });
    const planned = planDeliveries({ channels, providerId, now: at, ...(dueAt && { dueAt }), of });
    return toRows(planned, { leadId, createdAt: at, requestedBy: actor.name });
  });
  await insertDeliveries(tx, rows, at);
  await clearFailureFlags(tx, leadIds);
  await updateCrmStatus(tx, leadIds);
  return rows;
}
