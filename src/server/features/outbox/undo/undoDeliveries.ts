import { and, asc, eq, inArray, or } from 'drizzle-orm';
import { z } from 'zod';
import { deliveryStates, holdCauses } from '#shared/admin/deliveries.ts';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries, deliveryAttempts, type DeliveryRow } from '#server/db/schema/index.ts';
import { assignedElsewhereReason } from '../cancelDeliveries.ts';
import { channelsTo } from '../channelRules.ts';
import { restoreDeliveries, type RestoredDelivery } from '../deliveryStates.ts';

/** A delivery before a change that can be undone, as JSON. */
export const deliverySnapshot = z.object({
  id: z.uuid(),
  state: z.enum(deliveryStates),
  reason: z.string().nullable(),
  holdCause: z.enum(holdCauses).nullable(),
  nextAttemptAt: z.coerce.date().nullable(),
  finishedAt: z.coerce.date().nullable(),
  providerId: z.number().nullable(),
  attempts: z.number(),
});
export type DeliverySnapshot = z.output<typeof deliverySnapshot>;

/** What a change did to the deliveries of a lead. */
export interface UndoableDeliveries {
  created: readonly string[];
  events: readonly string[];
  /** The lead's other deliveries before it. */
  moved: readonly DeliverySnapshot[];
}

/** The deliveries of leads that a move to another provider may change, by lead. The leads are locked. */
export async function listMovable(
  tx: Queryable,
  leadIds: readonly number[],
): Promise<Map<number, DeliverySnapshot[]>> {
  const rows = await tx
    .select()
    .from(deliveries)
    .where(
      and(
        inArray(deliveries.leadId, [...leadIds]),
        eq(deliveries.template, 'lead'),
        inArray(deliveries.channel, channelsTo('provider', 'crm')),
        inArray(deliveries.state, ['queued', 'held', 'failed']),
      ),
    );
  const byLead = Map.groupBy(rows, ({ leadId }) => leadId ?? 0);
  return new Map(
    [...byLead].map(([leadId, ofLead]) => [leadId, ofLead.map((row) => deliverySnapshot.parse(row))]),
  );
}

/** The rows as they are now, locked: no worker leases them until the transaction ends. */
export async function lockUndoable(
  tx: Queryable,
  undoable: readonly UndoableDeliveries[],
): Promise<DeliveryRow[]> {
  const ids = undoable.flatMap(({ created, moved }) => [...created, ...moved.map(({ id }) => id)]);
  const events = undoable.flatMap(({ events: ofOne }) => ofOne);
  return tx
    .select()
    .from(deliveries)
    .where(or(inArray(deliveries.id, ids), inArray(deliveries.eventId, events)))
    .orderBy(asc(deliveries.id))
    .for('update');
}

/** Whether an attempt of something that the change caused has started. */
export function hasLeft(
  { created, events, moved }: UndoableDeliveries,
  rows: readonly DeliveryRow[],
): boolean {
  const before = new Map(moved.map((snapshot) => [snapshot.id, snapshot]));
  return rows.some((row) => {
    const { id, eventId, channel, state, attempts, leasedUntil } = row;
    if (created.includes(id) || (eventId !== null && events.includes(eventId)))
      return attempts > 0 || leasedUntil !== null;
    const snapshot = before.get(id);
    // What waited for the previous provider was canceled. The CRM gets the new one by the delivery that waited.
    if (snapshot === undefined || channel !== 'crm' || state === 'cancelled') return false;
    return row.providerId !== snapshot.providerId && (attempts > snapshot.attempts || leasedUntil !== null);
  });
}

/**
 * Deletes the deliveries of undone changes, none of which has started, and restores the others. One that was sent to
 * the previous provider in the meantime counts as delivered; an attempt still in progress records its result.
 */
export async function takeBackDeliveries(
  tx: Queryable,
  undone: readonly UndoableDeliveries[],
  { rows, now }: { rows: readonly DeliveryRow[]; now: Date },
): Promise<void> {
  const created = undone.flatMap(({ created: ids }) => ids);
  const events = undone.flatMap(({ events: ids }) => ids);
  await tx.delete(deliveries).where(or(inArray(deliveries.id, created), inArray(deliveries.eventId, events)));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const delivered = await listDelivered(tx, rows);
  const moved = undone.flatMap(({ moved: ofOne }) => ofOne);
  const restored = moved.flatMap((snapshot) => {
    const row = byId.get(snapshot.id);
    const wasDelivered = delivered.has(snapshot.id);
    return row === undefined ? [] : findRestored(snapshot, row, { wasDelivered, now });
  });
  await restoreDeliveries(tx, restored);
}

/** Which of these deliveries had an attempt that succeeded. */
async function listDelivered(tx: Queryable, rows: readonly DeliveryRow[]): Promise<ReadonlySet<string>> {
  const { deliveryId: id, outcome } = deliveryAttempts;
  const ids = rows.map((row) => row.id);
  const found = await tx
    .selectDistinct({ id })
    .from(deliveryAttempts)
    .where(and(inArray(id, ids), eq(outcome, 'delivered')));
  return new Set(found.map((row) => row.id));
}

function findRestored(
  { id, state, reason, holdCause, nextAttemptAt, finishedAt, providerId, attempts }: DeliverySnapshot,
  row: DeliveryRow,
  { wasDelivered, now }: { wasDelivered: boolean; now: Date },
): RestoredDelivery[] {
  const before = { id, providerId, state, reason, holdCause, nextAttemptAt, finishedAt };
  const wasCancelled = row.state === 'cancelled' && row.reason === assignedElsewhereReason;
  if (!wasCancelled) {
    // Only its provider and its time were changed, and only if no attempt has started since.
    const isAsLeft = row.state === state && row.attempts === attempts && row.leasedUntil === null;
    return isAsLeft ? [before] : [];
  }
  if (row.leasedUntil !== null && row.leasedUntil > now)
    return [{ ...before, state: 'queued', nextAttemptAt: row.leasedUntil }];
  if (state !== 'queued') return [before];
  const ended = { ...before, reason: null, holdCause: null };
  // By an attempt that began before the change, or between it and the snapshot.
  if (wasDelivered) return [{ ...ended, state: 'delivered', nextAttemptAt: null, finishedAt: now }];
  return row.attempts === attempts ? [before] : [{ ...ended, nextAttemptAt: now, finishedAt: null }];
}
