import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries } from '#server/db/schema/index.ts';
import { changeDeliveries } from '../deliveryStates.ts';

/** Why a delivery waits for staff. */
export const mailboxReason =
  'Someone withdrew under another spelling of this email address. Decide whether it is the same person.';

const isHeldForMailbox = and(eq(deliveries.state, 'held'), eq(deliveries.holdCause, 'mailbox'));

/** Deliveries that no open task holds any more: staff decided, or an owner lifted the suppression. */
export function isDecided(): SQL | undefined {
  return and(
    isHeldForMailbox,
    sql`not exists (
      select from staff_tasks open_task
      where open_task.lead_id = ${deliveries.leadId} and open_task.kind = 'mailbox-withdrawn' and open_task.done_at is null)`,
  );
}

/**
 * Queues what waits for a decision about these leads. Call it before their tasks are closed: a withdrawal locks
 * deliveries and tasks in this order.
 */
export async function releaseHeldForMailbox(
  tx: Queryable,
  leadIds: readonly number[],
  now: Date,
): Promise<void> {
  if (leadIds.length === 0) return;
  await changeDeliveries(
    tx,
    { state: 'queued', nextAttemptAt: now, reason: null },
    { where: and(isHeldForMailbox, inArray(deliveries.leadId, [...leadIds])) },
  );
}
