import { randomUUID } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { insertRows } from '#server/db/insertRows.ts';
import { deliveries, type DeliveryInsert } from '#server/db/schema/index.ts';
import { clearFailureFlags } from './leadStatus.ts';

/**
 * Inserts deliveries in the transaction of the change that causes them. Call `services.wakeSignal.wake()` after its
 * commit.
 */
export async function enqueueDeliveries(tx: Queryable, rows: readonly DeliveryInsert[]): Promise<void> {
  if (rows.length === 0) return;
  await enqueueFirstDeliveries(tx, rows);
  await clearFailureFlags(tx, [...new Set(rows.flatMap(({ leadId }) => leadId ?? []))]);
}

/** The same for new leads, which have no failed delivery whose flags it would clear. */
export async function enqueueFirstDeliveries(tx: Queryable, rows: readonly DeliveryInsert[]): Promise<void> {
  if (rows.length > 0) await tx.execute(insertRows(deliveries, rows));
}

interface Webhooks {
  eventIds: readonly string[];
  endpointId: string;
  now: Date;
}

/** Enqueues stored events for one endpoint, due now. */
export function enqueueWebhooks(tx: Queryable, { eventIds, endpointId, now }: Webhooks): Promise<void> {
  return enqueueDeliveries(
    tx,
    eventIds.map((eventId) => ({
      ...{ id: randomUUID(), channel: 'webhook', template: 'event', eventId, endpointId },
      ...{ nextAttemptAt: now, createdAt: now },
    })),
  );
}

/**
 * The statement that enqueues new events in the statement that records them. `rows` selects `event_id`, `endpoint_id`,
 * `at` and `due_at`, the time of the first attempt.
 */
export function enqueueWebhooksQuery(rows: SQL): SQL {
  return sql`
    insert into deliveries (id, channel, template, event_id, endpoint_id, next_attempt_at, created_at)
    select gen_random_uuid(), 'webhook', 'event', event_id, endpoint_id, due_at, at from (${rows}) as wanted`;
}
