import { and, asc, eq, exists, inArray, isNull, lte, sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import {
  webhookEndpoints,
  type WebhookEndpointRow,
  type WebhookEventRow,
  webhookEvents,
  webhookMessages,
  type WebhookMessageRow,
} from '#server/db/schema/index.ts';
import { attemptLimitMs } from './postMessage.ts';

/** Who takes a message has it for so long: should the process die, another tries again, under the same `webhook-id`. */
const leaseMs = 4 * attemptLimitMs;

/** A message in hand with what it takes to send it. */
export interface TakenMessage {
  message: WebhookMessageRow;
  event: WebhookEventRow;
  endpoint: WebhookEndpointRow;
}

export function leaseFrom(now: Date): Date {
  return new Date(now.getTime() + leaseMs);
}

const isDue = (now: Date) =>
  and(eq(webhookMessages.state, 'queued'), lte(webhookMessages.nextAttemptAt, now));

/** The endpoints that are on and have something to be sent. */
export async function listDueEndpoints(db: Queryable, now: Date): Promise<string[]> {
  const waiting = db
    .select({ one: sql`1` })
    .from(webhookMessages)
    .where(and(eq(webhookMessages.endpointId, webhookEndpoints.id), isDue(now)));
  const rows = await db
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(and(isNull(webhookEndpoints.disabledAt), exists(waiting)));
  return rows.map(({ id }) => id);
}

/** Takes at most so many of an endpoint's due messages, the longest due first, each in one process alone. */
export async function takeMessages(
  db: Queryable,
  { endpointId, limit, now }: { endpointId: string; limit: number; now: Date },
): Promise<TakenMessage[]> {
  // Apart, as it must run once: rows are locked by looking.
  const due = db.$with('due').as(
    db
      .select({ id: webhookMessages.id })
      .from(webhookMessages)
      .where(and(eq(webhookMessages.endpointId, endpointId), isDue(now)))
      .orderBy(asc(webhookMessages.nextAttemptAt))
      .limit(limit)
      .for('update', { skipLocked: true }),
  );
  const taken = await db
    .with(due)
    .update(webhookMessages)
    .set({ nextAttemptAt: leaseFrom(now) })
    .where(inArray(webhookMessages.id, db.select({ id: due.id }).from(due)))
    .returning({ id: webhookMessages.id });
  return taken.length === 0
    ? []
    : readMessages(
        db,
        taken.map(({ id }) => id),
      );
}

/** Messages with their events and endpoints; those of an endpoint that was removed are left out. */
export async function readMessages(db: Queryable, ids: readonly number[]): Promise<TakenMessage[]> {
  return db
    .select({ message: webhookMessages, event: webhookEvents, endpoint: webhookEndpoints })
    .from(webhookMessages)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookMessages.eventId))
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookMessages.endpointId))
    .where(inArray(webhookMessages.id, [...ids]));
}

/** Gives back a message whose try was cut short by the end of the process: it counts as none. */
export async function giveBack(db: Queryable, messageId: number, now: Date): Promise<void> {
  await db
    .update(webhookMessages)
    .set({ nextAttemptAt: now })
    .where(and(eq(webhookMessages.id, messageId), eq(webhookMessages.state, 'queued')));
}
