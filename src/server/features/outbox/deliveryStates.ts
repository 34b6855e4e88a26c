import { and, asc, inArray, type SQL, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { type DeliveryState, deliveryStates, type HoldCause } from '#shared/admin/deliveries.ts';
import type { Queryable } from '#server/db/connect.ts';
import { jsonValue } from '#server/db/insertRows.ts';
import { deliveries, type DeliveryRow } from '#server/db/schema/index.ts';

/** The states that may follow each: the only table of transitions. `queued` follows itself for the next attempt. */
export const allowedChanges: Readonly<Record<DeliveryState, readonly DeliveryState[]>> = {
  queued: ['queued', 'delivered', 'failed', 'held', 'cancelled'],
  held: ['queued', 'cancelled'],
  // Resent or replayed. After an email bounced, it fails, is held or is sent again.
  delivered: ['queued', 'failed', 'held'],
  failed: ['queued', 'held', 'cancelled'],
  cancelled: ['queued'],
};

/** A new state, with the columns that it requires. */
export type DeliveryChange =
  | { state: 'queued'; nextAttemptAt: Date; reason: string | null }
  /** Without a cause: until the channel is ready. With one, it is queued at `nextAttemptAt`; null: by staff only. */
  | { state: 'held'; reason: string; holdCause?: HoldCause; nextAttemptAt?: Date | null }
  | { state: 'delivered'; finishedAt: Date }
  | { state: 'failed' | 'cancelled'; reason: string; finishedAt: Date };

/** The columns that belong to a state, as the checks of the table require. */
type StateColumns = Pick<DeliveryRow, 'state' | 'reason' | 'holdCause' | 'nextAttemptAt' | 'finishedAt'>;

export function stateColumns(change: DeliveryChange): StateColumns {
  return { reason: null, holdCause: null, nextAttemptAt: null, finishedAt: null, ...change };
}

/** What was sent although its recipient is marked as unreachable waits like any other once it is held again. */
const heldAgain = { ignoresUnreachable: false } as const;

/** A condition on `deliveries`: the row may change to this state. */
function mayBecome(state: DeliveryState): SQL {
  const preceding = deliveryStates.filter((from) => allowedChanges[from].includes(state));
  return inArray(deliveries.state, preceding);
}

/** Due at a time. */
export function queueAt(nextAttemptAt: Date): DeliveryChange {
  return { state: 'queued', nextAttemptAt, reason: null };
}

/** Columns that don't depend on the state. */
interface OtherColumns {
  set?: Pick<
    PgUpdateSetSource<typeof deliveries>,
    'leasedUntil' | 'attempts' | 'attemptsBeforeRound' | 'remoteId' | 'bounces' | 'ignoresUnreachable'
  >;
}

export type ChangedDelivery = Pick<DeliveryRow, 'id' | 'channel' | 'leadId' | 'endpointId'>;

/**
 * Changes deliveries whose state allows it, and returns them. Locks by ascending id, so that changes never deadlock.
 */
export async function changeDeliveries(
  tx: Queryable,
  where: SQL | undefined,
  { set = {}, ...change }: DeliveryChange & OtherColumns,
): Promise<ChangedDelivery[]> {
  if (where === undefined) throw new Error('a change of deliveries needs a condition');
  const { id, channel, leadId, endpointId } = deliveries;
  const locked = tx
    .select({ id })
    .from(deliveries)
    .where(and(where, mayBecome(change.state)))
    .orderBy(asc(id))
    .for('update');
  return tx
    .update(deliveries)
    .set({
      ...stateColumns(change),
      ...(change.state === 'held' && change.holdCause === 'unreachable' ? heldAgain : {}),
      ...set,
    })
    .where(inArray(id, locked))
    .returning({ id, channel, leadId, endpointId });
}

/** How an attempt leaves its delivery. */
export interface AttemptedChange {
  id: string;
  next: DeliveryChange;
  /** The recipient's name for it. Null keeps the stored one. */
  remoteId: string | null;
  /** By us: the attempt doesn't count in its round. */
  isInterrupted: boolean;
}

/** Ends leases and changes states in one statement, of queued deliveries only. The caller has locked the rows. */
export async function changeAttempted(tx: Queryable, finished: readonly AttemptedChange[]): Promise<void> {
  if (finished.length === 0) return;
  const rows = finished.map(({ id, next, remoteId, isInterrupted }) => {
    const { state, reason, holdCause, nextAttemptAt, finishedAt } = stateColumns(next);
    if (!allowedChanges.queued.includes(state)) throw new Error(`a queued delivery can't become ${state}`);
    const texts = { reason: jsonValue(reason), remoteId: jsonValue(remoteId) };
    return { id, state, holdCause, nextAttemptAt, finishedAt, ...texts, interrupted: Number(isInterrupted) };
  });
  await tx.execute(sql`
    update deliveries set state = next.state, reason = next.reason, hold_cause = next."holdCause",
      ignores_unreachable = ignores_unreachable and next."holdCause" is distinct from 'unreachable', next_attempt_at = next."nextAttemptAt",
      finished_at = next."finishedAt", leased_until = null, remote_id = coalesce(next."remoteId", deliveries.remote_id),
      attempts_before_round = attempts_before_round + next.interrupted
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as next (id uuid, state text, reason text, "holdCause" text,
      "nextAttemptAt" timestamptz, "finishedAt" timestamptz, "remoteId" text, interrupted int)
    where deliveries.id = next.id and deliveries.id = any (${sql.param(rows.map(({ id }) => id))}::uuid[])
      and deliveries.state = 'queued'`);
}

/** A delivery with what it had before a change that is undone. */
export type RestoredDelivery = Pick<DeliveryRow, 'id' | 'providerId'> & StateColumns;

/** Gives deliveries back their state and provider from before an undone change. The caller has locked the rows. */
export async function restoreDeliveries(tx: Queryable, restored: readonly RestoredDelivery[]): Promise<void> {
  if (restored.length === 0) return;
  await tx.execute(sql`
    update deliveries set state = before.state, provider_id = before."providerId", reason = before.reason,
      hold_cause = before."holdCause", next_attempt_at = before."nextAttemptAt", finished_at = before."finishedAt"
    from json_to_recordset(${JSON.stringify(restored)}::text::json) as before (id uuid, state text, "providerId" bigint,
      reason text, "holdCause" text, "nextAttemptAt" timestamptz, "finishedAt" timestamptz)
    where deliveries.id = before.id and deliveries.id = any (${sql.param(restored.map(({ id }) => id))}::uuid[])`);
}
