import { and, asc, inArray, type SQL } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { type DeliveryState, deliveryStates } from '#shared/admin/deliveries.ts';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries, type DeliveryRow } from '#server/db/schema/index.ts';

/**
 * The states that may follow each state: the only table of transitions. `queued` follows itself for the next attempt.
 */
export const allowedChanges: Readonly<Record<DeliveryState, readonly DeliveryState[]>> = {
  queued: ['queued', 'delivered', 'failed', 'held', 'cancelled'],
  held: ['queued', 'cancelled'],
  // Resent or replayed; failed if an email bounces later.
  delivered: ['queued', 'failed'],
  failed: ['queued', 'cancelled'],
  cancelled: ['queued'],
};

/** A new state, with the columns that it requires. */
export type DeliveryChange =
  | { state: 'queued'; nextAttemptAt: Date; reason: string | null }
  | { state: 'held'; reason: string }
  | { state: 'delivered'; finishedAt: Date }
  | { state: 'failed' | 'cancelled'; reason: string; finishedAt: Date };

/** The columns that belong to a state, as the checks of the table require. */
type StateColumns = Pick<DeliveryRow, 'state' | 'reason' | 'nextAttemptAt' | 'finishedAt'>;

export function stateColumns(change: DeliveryChange): StateColumns {
  return { reason: null, nextAttemptAt: null, finishedAt: null, ...change };
}

/** A condition on `deliveries`: the row may change to this state. */
function mayBecome(state: DeliveryState): SQL {
  const preceding = deliveryStates.filter((from) => allowedChanges[from].includes(state));
  return inArray(deliveries.state, preceding);
}

interface ChangeOptions {
  /** Which deliveries. */
  where: SQL | undefined;
  /** Columns that don't depend on the state. */
  set?: Pick<
    PgUpdateSetSource<typeof deliveries>,
    'leasedUntil' | 'attempts' | 'attemptsBeforeRound' | 'remoteId'
  >;
}

export type ChangedDelivery = Pick<DeliveryRow, 'id' | 'channel' | 'leadId' | 'endpointId'>;

/**
 * Changes the state of deliveries, and returns those that changed. A delivery whose state doesn't allow the new one
 * stays as it is. Rows are locked by ascending id, so that two changes of the same rows never wait for each other.
 */
export async function changeDeliveries(
  tx: Queryable,
  change: DeliveryChange,
  { where, set = {} }: ChangeOptions,
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
    .set({ ...stateColumns(change), ...set })
    .where(inArray(id, locked))
    .returning({ id, channel, leadId, endpointId });
}
