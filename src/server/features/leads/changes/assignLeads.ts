import { and, inArray } from 'drizzle-orm';
import type { AuditAction } from '#shared/admin/audit.ts';
import { assignmentUndoSeconds, bulkLeadsMax } from '#shared/admin/leadActions.ts';
import type { Queryable } from '#server/db/connect.ts';
import { leads } from '#server/db/schema/index.ts';
import { listMovable } from '../../outbox/undo/undoDeliveries.ts';
import { allows } from '../leadStates.ts';
import { getAssignment, listNamedOthers, lockActiveProvider, takeAway } from './assignment.ts';
import type { LeadAction } from './leadChanges.ts';
import { type Move, moveLeads } from './moveLeads.ts';
import { lockLeads } from '../../outbox/leadStatus.ts';
import { storeAssignmentUndos, storedBefore } from './undoAssignments.ts';

/**
 * Assigns leads to an active provider in one transaction and delivers them to the provider and the CRM: after the
 * seconds in which `undoAssignments` takes it back, or at once for a token. Ignores deleted and unknown leads. Returns
 * the ids of the others. Throws UNPROCESSABLE_CONTENT for an inactive or unknown provider.
 */
export function assignLeads(
  staffAction: LeadAction,
  ids: readonly number[],
  providerId: number,
): Promise<number[]> {
  return assignEach(staffAction, new Map(ids.map((id) => [id, providerId])));
}

/**
 * Takes leads away from their providers: cancels what wasn't sent, and never gives them back automatically. The CRM and
 * the endpoints learn it after the Undo. Ignores deleted, unknown and unmatched leads. Returns the ids of the others.
 */
export function takeAwayLeads(staffAction: LeadAction, ids: readonly number[]): Promise<number[]> {
  return assignEach(staffAction, new Map(ids.map((id) => [id, null])));
}

/**
 * Until when an assignment can be undone. One of more than a batch waits a second longer for each further batch, so that
 * the first one hasn't left before the last one is stored.
 */
export function getUndoUntil(at: Date, count: number): Date {
  const furtherBatches = Math.ceil(count / bulkLeadsMax) - 1;
  return new Date(at.getTime() + (assignmentUndoSeconds + Math.max(0, furtherBatches)) * 1000);
}

/** The same, with a provider or none for each lead. */
export async function assignEach(
  staffAction: LeadAction,
  choices: ReadonlyMap<number, number | null>,
  undoUntil = getUndoUntil(staffAction.services.now(), choices.size),
): Promise<number[]> {
  if (choices.size === 0) return [];
  const { services, actor, ip } = staffAction;
  const assigned = await services.db.transaction(async (tx) => {
    const moves = await lockMoves(tx, staffAction, choices);
    const ids = moves.map(({ lead }) => lead.id);
    const at = services.now();
    const undo = actor.kind === 'staff' ? { accountId: actor.accountId, assignedAt: at, undoUntil } : null;
    const moved = undo === null ? new Map() : await listMovable(tx, ids);
    const caused = await moveLeads(tx, moves, { services, actor, ip, getAction, dueAt: undo?.undoUntil });
    if (undo === null) return ids;
    const [created, events] = [idsByLead(caused.created), idsByLead(caused.events)];
    const undos = moves.map(({ lead, match: { providerId, reason } }) => ({
      ...{ leadId: lead.id, providerId, matchReason: reason, before: storedBefore.parse(lead) },
      ...{ created: created.get(lead.id) ?? [], events: events.get(lead.id) ?? [] },
      moved: moved.get(lead.id) ?? [],
    }));
    await storeAssignmentUndos(tx, undo, undos);
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
  const found = await lockLeads(tx, and(inArray(leads.id, [...choices.keys()]), allows('assign')));
  const providerChoices = [...choices].flatMap(([id, choice]) =>
    choice === null ? [] : [[id, choice] as const],
  );
  const others = await listNamedOthers(tx, new Map(providerChoices));
  const named = new Map(others.map(({ id, provider }) => [id, provider]));
  return found.flatMap((lead): Move[] => {
    const choice = choices.get(lead.id) ?? null;
    if (choice === null) return lead.providerId === null ? [] : [{ lead, match: takeAway(actor.name) }];
    const provider = providers.get(choice);
    if (provider === undefined) return [];
    const match = getAssignment(provider, lead.zipCode, { by: actor.name, zipTable });
    return [{ lead, match, consentNames: named.get(lead.id) }];
  });
}

function getAction({ match }: Move): AuditAction {
  return match.providerId === null ? 'lead.take-away' : 'lead.assign';
}

function idsByLead(rows: readonly { id: string; leadId: number }[]): Map<number, string[]> {
  const groups = Map.groupBy(rows, ({ leadId }) => leadId);
  return new Map([...groups].map(([leadId, ofLead]) => [leadId, ofLead.map(({ id }) => id)]));
}
