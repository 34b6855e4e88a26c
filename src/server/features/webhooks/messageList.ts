import { and, asc, desc, eq, lt } from 'drizzle-orm';
import type { z } from 'zod';
import {
  type MessageList,
  type messageListInput,
  messagePageSize,
  type MessageAttempt,
  type WebhookMessage,
} from '#shared/admin/webhooks.ts';
import type { Queryable } from '#server/db/connect.ts';
import {
  type WebhookEventRow,
  webhookEvents,
  webhookMessages,
  type WebhookMessageRow,
  webhookAttempts,
} from '#server/db/schema/index.ts';
import { notFound } from '#server/errors.ts';
import { webhookIdOf } from './sendMessage.ts';

function presentMessage(message: WebhookMessageRow, event: WebhookEventRow): WebhookMessage {
  return {
    id: message.id,
    webhook_id: webhookIdOf(event.id),
    endpoint_id: message.endpointId,
    type: event.type,
    lead_id: event.leadId,
    provider_id: event.providerId,
    at: event.at.toISOString(),
    state: message.state,
    attempts: message.attempts,
    next_try_at: message.nextAttemptAt?.toISOString() ?? null,
    last_status: message.lastStatus,
    reason: message.reason,
  };
}

/** A page of messages, newest first, by the number of the last one seen. */
export async function listMessages(
  db: Queryable,
  { endpointId, state, before }: z.output<typeof messageListInput>,
): Promise<MessageList> {
  const rows = await db
    .select({ message: webhookMessages, event: webhookEvents })
    .from(webhookMessages)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookMessages.eventId))
    .where(
      and(
        endpointId === undefined ? undefined : eq(webhookMessages.endpointId, endpointId),
        state === undefined ? undefined : eq(webhookMessages.state, state),
        before === undefined ? undefined : lt(webhookMessages.id, before),
      ),
    )
    .orderBy(desc(webhookMessages.id))
    .limit(messagePageSize + 1);
  const page = rows.slice(0, messagePageSize);
  return {
    messages: page.map(({ message, event }) => presentMessage(message, event)),
    next: rows.length > messagePageSize ? (page.at(-1)?.message.id ?? null) : null,
  };
}

/** Throws NOT_FOUND 'Message not found'. */
export async function getMessage(db: Queryable, id: number): Promise<WebhookMessage> {
  const [row] = await db
    .select({ message: webhookMessages, event: webhookEvents })
    .from(webhookMessages)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookMessages.eventId))
    .where(eq(webhookMessages.id, id));
  if (row === undefined) throw notFound('Message');
  return presentMessage(row.message, row.event);
}

/** Every try there was, the first one first. */
export async function listAttempts(db: Queryable, messageId: number): Promise<MessageAttempt[]> {
  const rows = await db
    .select()
    .from(webhookAttempts)
    .where(eq(webhookAttempts.messageId, messageId))
    .orderBy(asc(webhookAttempts.id));
  return rows.map((row) => ({
    at: row.at.toISOString(),
    delivered: row.outcome === 'delivered',
    status: row.status,
    duration_ms: row.durationMs,
    reason: row.reason,
    answer: row.answer,
  }));
}
