import { and, asc, eq, gte, inArray, ne } from 'drizzle-orm';
import type { z } from 'zod';
import {
  replaysMax,
  type replaySinceInput,
  type replaySinceOutput,
  testType,
  type WebhookMessage,
} from '#shared/events.ts';
import type { Queryable } from '../../db/connect.ts';
import { webhookEvents, webhookMessages } from '../../db/schema/index.ts';
import { AppError } from '../../errors.ts';
import { auditEndpoint, type EventDeed, getEndpoint } from './endpoints.ts';
import { getMessage } from './messageList.ts';

/** Throws NOT_FOUND, and UNPROCESSABLE_CONTENT while it is off. */
async function expectOn(tx: Queryable, endpointId: string): Promise<void> {
  const { disabledAt } = await getEndpoint(tx, endpointId);
  if (disabledAt !== null)
    throw new AppError('UNPROCESSABLE_CONTENT', 'The endpoint is off. Switch it on first.');
}

/**
 * Queues one message again, delivered or not, from the first try on; its `webhook-id` stays, by which a receiver knows a repeat. Throws NOT_FOUND,
 * UNPROCESSABLE_CONTENT while its endpoint is off and for a test.
 */
export function replayMessage(deed: EventDeed, id: number): Promise<WebhookMessage> {
  const { db, now } = deed.services;
  return db.transaction(async (tx) => {
    const { endpoint_id: endpointId, type } = await getMessage(tx, id);
    if (type === testType)
      throw new AppError('UNPROCESSABLE_CONTENT', 'A test isn’t replayed. Send another.');
    await expectOn(tx, endpointId);
    await queueAgain(tx, [id], now());
    await auditEndpoint(tx, deed, { action: 'endpoint.replay', id: endpointId, detail: { message: id } });
    return getMessage(tx, id);
  });
}

/**
 * Queues again what failed or was cancelled at an endpoint of the events since an instant, ten thousand of them at most, the oldest first. Throws as
 * replayMessage() does.
 */
export function replaySince(
  deed: EventDeed,
  { endpointId, since }: z.output<typeof replaySinceInput>,
): Promise<z.infer<typeof replaySinceOutput>> {
  const { db, now } = deed.services;
  return db.transaction(async (tx) => {
    await expectOn(tx, endpointId);
    const found = await tx
      .select({ id: webhookMessages.id })
      .from(webhookMessages)
      .innerJoin(webhookEvents, eq(webhookEvents.id, webhookMessages.eventId))
      .where(
        and(
          eq(webhookMessages.endpointId, endpointId),
          inArray(webhookMessages.state, ['failed', 'cancelled']),
          gte(webhookEvents.at, new Date(since)),
          ne(webhookEvents.type, testType),
        ),
      )
      .orderBy(asc(webhookMessages.id))
      .limit(replaysMax + 1);
    const ids = found.slice(0, replaysMax).map(({ id }) => id);
    await queueAgain(tx, ids, now());
    const detail = { since, messages: ids.length };
    await auditEndpoint(tx, deed, { action: 'endpoint.replay', id: endpointId, detail });
    return { queued: ids.length, left: found.length > replaysMax };
  });
}

async function queueAgain(tx: Queryable, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(webhookMessages)
    .set({ state: 'queued', tries: 0, nextTryAt: now, reason: null })
    .where(inArray(webhookMessages.id, [...ids]));
}
