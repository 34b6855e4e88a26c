import { sql } from 'drizzle-orm';
import { assignmentUndoSeconds } from '#shared/admin/leadActions.ts';
import type { AuditAction } from '#shared/admin/audit.ts';
import type { Queryable } from '#server/db/connect.ts';
import { recordAuditOfEach } from '../../audit/audit.ts';
import { listMovable } from '../../outbox/undo/undoDeliveries.ts';
import { recordEvents } from '../../webhooks/recordEvents.ts';
import { leadMoved } from '../leadEvents.ts';
import { allows } from '../leadStates.ts';
import {
  buildAssignmentDetail,
  getAssignment,
  listNamedOthers,
  lockActiveProvider,
  takenAwayReason,
} from './assignment.ts';
import { readUndoColumns, storeAssignmentUndos, type UndoWindow } from './undoAssignments.ts';
import { deliverToNewProvider } from './moveLeads.ts';
import { type ChangedLead, type LeadAction, lockLeads } from './leadChanges.ts';
import { outcomeAfterMove } from './leadOutcomes.ts';

/** A lead and the provider that it is assigned to; null: it is taken away from the one that it has. */
interface Move {
  lead: ChangedLead;
  providerId: number | null;
  reason: string;
  miles: number | null;
}

/**
 * Assigns leads to an active provider in one transaction, each with its distance and the reason, and delivers them to
 * the provider and the CRM: after the seconds in which `undoAssignments` takes it back, those of a token as soon as
 * possible. Ignores deleted and unknown leads. Returns the ids of the others. Throws UNPROCESSABLE_CONTENT for an
 * inactive or unknown provider.
 */
export function assignLeads(
  staffAction: LeadAction,
  ids: readonly number[],
  providerId: number,
): Promise<number[]> {
  return assignEach(staffAction, new Map(ids.map((id) => [id, providerId])));
}

/**
 * Takes leads away from their providers: they are unmatched, what wasn't sent to the provider is canceled, and it never
 * gets them again automatically. The CRM and the endpoints are informed when the Undo has ended. Ignores leads without
 * a provider, deleted and unknown ones. Returns the ids of the others.
 */
export function takeAwayLeads(staffAction: LeadAction, ids: readonly number[]): Promise<number[]> {
  return assignEach(staffAction, new Map(ids.map((id) => [id, null])));
}

/** The same, with a provider or none for each lead. */
export async function assignEach(
  staffAction: LeadAction,
  choices: ReadonlyMap<number, number | null>,
): Promise<number[]> {
  if (choices.size === 0) return [];
  const { services, actor } = staffAction;
  const assigned = await services.db.transaction(async (tx) => {
    const moves = await lockMoves(tx, staffAction, choices);
    const ids = moves.map(({ lead }) => lead.id);
    const at = services.now();
    const undoUntil = new Date(at.getTime() + assignmentUndoSeconds * 1000);
    const undo = actor.kind === 'staff' ? { accountId: actor.accountId, assignedAt: at, undoUntil } : null;
    const before = undo === null ? null : await readUndoColumns(tx, ids);
    const moved = undo === null ? new Map() : await listMovable(tx, ids);
    await auditMoves(tx, staffAction, moves);
    await moveLeads(tx, moves);
    const caused = await informAbout(tx, staffAction, { moves, undo });
    if (undo !== null && before !== null)
      await storeAssignmentUndos(
        tx,
        undo,
        moves.map(({ lead: { id }, providerId, reason }) => ({
          ...{ leadId: id, providerId, matchReason: reason, before: before.get(id) },
          ...{ created: caused.created.get(id) ?? [], events: caused.events.get(id) ?? [] },
          moved: moved.get(id) ?? [],
        })),
      );
    return ids;
  });
  services.wakeSignal.wake();
  return assigned;
}

/** Locks the providers, then the leads that may be assigned. */
async function lockMoves(
  tx: Queryable,
  { services: { zipTable }, actor }: LeadAction,
  choices: ReadonlyMap<number, number | null>,
): Promise<Move[]> {
  const providers = new Map<number, Awaited<ReturnType<typeof lockActiveProvider>>>();
  const chosen = new Set([...choices.values()].flatMap((id) => id ?? []));
  for (const id of [...chosen].toSorted((a, b) => a - b)) providers.set(id, await lockActiveProvider(tx, id));
  const found = await lockLeads(tx, [...choices.keys()], allows('assign'));
  return found.flatMap((lead): Move[] => {
    const choice = choices.get(lead.id) ?? null;
    if (choice === null) {
      const taken = { providerId: null, reason: takenAwayReason(actor.name), miles: null };
      return lead.providerId === null ? [] : [{ lead, ...taken }];
    }
    const provider = providers.get(choice);
    if (provider === undefined) return [];
    const assignment = getAssignment(provider, lead.zipCode, { by: actor.name, zipTable });
    return [{ lead, providerId: provider.id, ...assignment }];
  });
}

async function moveLeads(tx: Queryable, moves: readonly Move[]): Promise<void> {
  const rows = moves.map(({ lead: { id }, providerId, reason, miles }) => ({
    id,
    provider_id: providerId,
    reason,
    miles,
  }));
  await tx.execute(sql`
    update leads set provider_id = assignment.provider_id, match_method = case when assignment.provider_id is null then 'none' else 'manual' end, match_reason = assignment.reason, match_distance_miles = assignment.miles,
      updated_at = now(), outcome = ${outcomeAfterMove(sql`assignment.provider_id`)}
    from json_to_recordset(${JSON.stringify(rows)}::json) as assignment (id bigint, provider_id bigint, reason text, miles float8)
    where leads.id = assignment.id`);
}

/** Call it before the leads move: where the consent names another provider is asked of those that move. */
async function auditMoves(tx: Queryable, { actor, ip }: LeadAction, moves: readonly Move[]): Promise<void> {
  const choices = new Map(
    moves.flatMap(({ lead, providerId }) => (providerId === null ? [] : [[lead.id, providerId] as const])),
  );
  const others = await listNamedOthers(tx, choices);
  const named = new Map(others.map(({ id, provider }) => [id, provider]));
  for (const [action, group] of Map.groupBy(moves, getAction))
    await recordAuditOfEach(
      tx,
      { actor, ip, action },
      group.map(({ lead, providerId, miles }) => ({
        subject: { kind: 'lead', id: lead.id },
        detail: buildAssignmentDetail(lead, { providerId, miles, consentNames: named.get(lead.id) }),
      })),
    );
}

function getAction({ providerId }: Move): AuditAction {
  return providerId === null ? 'lead.take-away' : 'lead.assign';
}

/** By lead: the deliveries and the events that an assignment caused. */
interface Caused {
  created: Map<number, string[]>;
  events: Map<number, string[]>;
}

/** Informs the providers, the CRM and the endpoints, not before the Undo's end. */
async function informAbout(
  tx: Queryable,
  { services, actor }: LeadAction,
  { moves, undo }: { moves: readonly Move[]; undo: UndoWindow | null },
): Promise<Caused> {
  const events = moves.flatMap(({ lead, providerId }) => leadMoved({ ...lead, providerId }, lead.providerId));
  const waitMs = undo === null ? 0 : assignmentUndoSeconds * 1000;
  const eventIds = await recordEvents(tx, events, { waitMs });
  const away = moves.filter(({ lead, providerId }) => lead.providerId !== providerId);
  const created: { id: string; leadId: number }[] = [];
  for (const [providerId, group] of Map.groupBy(away, (move) => move.providerId))
    created.push(
      ...(await deliverToNewProvider(
        tx,
        { services, by: actor.name, providerId, dueAt: undo?.undoUntil },
        group.map(({ lead }) => lead),
      )),
    );
  return {
    created: idsByLead(created),
    events: idsByLead(eventIds.map((id, index) => ({ id, leadId: events[index]?.leadId ?? 0 }))),
  };
}

function idsByLead(rows: readonly { id: string; leadId: number }[]): Map<number, string[]> {
  const groups = Map.groupBy(rows, ({ leadId }) => leadId);
  return new Map([...groups].map(([leadId, ofLead]) => [leadId, ofLead.map(({ id }) => id)]));
}
