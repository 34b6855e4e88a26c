import { and, asc, eq, gte, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import type { z } from 'zod';
import {
  replaysMax,
  type replaySinceInput,
  type replaySinceOutput,
  testType,
  type WebhookMessage,
} from '#shared/admin/webhooks.ts';
import type { Queryable } from '#server/db/connect.ts';
import { type WebhookEndpointRow, webhookEvents, webhookMessages } from '#server/db/schema/index.ts';
import { AppError } from '#server/errors.ts';
import { auditEndpoint, type WebhookAction, getEndpoint } from './endpoints.ts';
import { getMessage } from './messageList.ts';

/** Throws NOT_FOUND, and UNPROCESSABLE_CONTENT while it is off. */
async function expectOn(tx: Queryable, endpointId: string): Promise<WebhookEndpointRow> {
  const endpoint = await getEndpoint(tx, endpointId);
  if (endpoint.disabledAt !== null)
    throw new AppError('UNPROCESSABLE_CONTENT', 'The endpoint is off. Switch it on first.');
  return endpoint;
}

/**
 * Queues one message again, delivered or not, from the first try on; its `webhook-id` stays, by which a receiver knows a repeat. Throws NOT_FOUND,
 * UNPROCESSABLE_CONTENT while its endpoint is off and for a test.
 */
export function replayMessage(staffAction: WebhookAction, id: number): Promise<WebhookMessage> {
  const { db, now } = staffAction.services;
  return db.transaction(async (tx) => {
    const { endpoint_id: endpointId, type } = await getMessage(tx, id);
    if (type === testType)
      throw new AppError('UNPROCESSABLE_CONTENT', 'A test isn’t replayed. Send another.');
    await expectOn(tx, endpointId);
    await queueAgain(tx, [id], now());
    await auditEndpoint(tx, staffAction, {
      action: 'endpoint.replay',
      id: endpointId,
      detail: { message: id },
    });
    return getMessage(tx, id);
  });
}

/**
 * Queues for an endpoint every event since an instant that it asks to be told of: messages that are over, however they ended, and what happened while
 * it was off, of which there is none. What is queued already stays so. Ten thousand at most, the oldest first; `next` is what to ask for to go on.
 * Throws as replayMessage() does.
 */
export function replaySince(
  staffAction: WebhookAction,
  { endpointId, since, after }: z.output<typeof replaySinceInput>,
): Promise<z.infer<typeof replaySinceOutput>> {
  const { db, now } = staffAction.services;
  return db.transaction(async (tx) => {
    const { types } = await expectOn(tx, endpointId);
    const found = await findEvents(tx, { endpointId, types, since, after });
    const events = found.slice(0, replaysMax);
    await queueAgain(
      tx,
      events.flatMap(({ messageId }) => (messageId === null ? [] : [messageId])),
      now(),
    );
    const untold = events.filter(({ messageId }) => messageId === null);
    if (untold.length > 0)
      await tx
        .insert(webhookMessages)
        .values(
          untold.map(({ id }) => ({ eventId: id, endpointId, nextAttemptAt: now(), createdAt: now() })),
        );
    const detail = { since, messages: events.length };
    await auditEndpoint(tx, staffAction, { action: 'endpoint.replay', id: endpointId, detail });
    const last = found.length > replaysMax ? events.at(-1) : undefined;
    const next = last === undefined ? null : { since: last.at.toISOString(), after: last.id };
    return { queued: events.length, next };
  });
}

interface Replay extends z.output<typeof replaySinceInput> {
  /** What the endpoint asks for; empty: everything. */
  types: readonly string[];
}

interface Replayed {
  id: string;
  at: Date;
  /** Null where the endpoint was off. */
  messageId: number | null;
}

/** One more than may be queued at once. Locked, so that no event is purged while it gets a message. */
function findEvents(tx: Queryable, { endpointId, types, since, after }: Replay): Promise<Replayed[]> {
  const { id, at, type } = webhookEvents;
  return tx
    .select({ id, at, messageId: webhookMessages.id })
    .from(webhookEvents)
    .leftJoin(
      webhookMessages,
      and(eq(webhookMessages.eventId, id), eq(webhookMessages.endpointId, endpointId)),
    )
    .where(
      and(
        gte(at, new Date(since)),
        after === undefined ? undefined : sql`(${at}, ${id}) > (${since}::timestamptz, ${after}::uuid)`,
        types.length === 0 ? ne(type, testType) : inArray(type, [...types]),
        or(isNull(webhookMessages.id), ne(webhookMessages.state, 'queued')),
      ),
    )
    .orderBy(asc(at), asc(id))
    .limit(replaysMax + 1)
    .for('key share', { of: webhookEvents });
}

async function queueAgain(tx: Queryable, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(webhookMessages)
    .set({ state: 'queued', attempts: 0, nextAttemptAt: now, reason: null })
    .where(inArray(webhookMessages.id, [...ids]));
}
