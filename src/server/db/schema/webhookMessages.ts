import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { deliveryOutcomes } from '#shared/admin/deliveries.ts';
import { messageStates } from '#shared/admin/webhooks.ts';
import { instant } from '../columns.ts';

/** One event for one endpoint. The rows that are queued are the queue: whoever takes one moves `next_try_at` on for as long as a try may last. */
export const webhookMessages = pgTable(
  'webhook_messages',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    // No foreign keys, whose checks a lead would wait for: not to the event, which is written in the same statement and purged with its messages,
    // nor to the endpoint, whose removal must neither hold a lead up nor fail it.
    eventId: uuid('event_id').notNull(),
    endpointId: uuid('endpoint_id').notNull(),
    state: text('state', { enum: messageStates }).notNull().default('queued'),
    /** Since it was queued last. */
    attempts: integer('tries').notNull().default(0),
    /** Null unless queued. */
    nextAttemptAt: instant('next_try_at'),
    lastStatus: text('last_status'),
    /** Why it failed, was cancelled or is being tried again: a sentence for staff without contact details. */
    reason: text('reason'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    check(
      'webhook_messages_state_check',
      sql`${table.state} in ('queued', 'delivered', 'failed', 'cancelled')`,
    ),
    check('webhook_messages_tries_check', sql`${table.attempts} >= 0`),
    check(
      'webhook_messages_next_try_check',
      sql`(${table.nextAttemptAt} is null) = (${table.state} <> 'queued')`,
    ),
    uniqueIndex('webhook_messages_event_key').on(table.eventId, table.endpointId),
    index('webhook_messages_queue_idx')
      .on(table.endpointId, table.nextAttemptAt)
      .where(sql`${table.state} = 'queued'`),
    index('webhook_messages_endpoint_idx').on(table.endpointId, table.id),
    index('webhook_messages_state_idx')
      .on(table.state, table.id)
      .where(sql`${table.state} <> 'delivered'`),
  ],
);

/** Every try to deliver a message, as it ended. */
export const webhookAttempts = pgTable(
  'webhook_tries',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    messageId: bigint('message_id', { mode: 'number' })
      .notNull()
      .references(() => webhookMessages.id, { onDelete: 'cascade' }),
    /** When it was over. */
    at: instant('at').notNull(),
    durationMs: integer('duration_ms').notNull(),
    outcome: text('outcome', { enum: deliveryOutcomes }).notNull(),
    /** 'HTTP 503'; null where nothing was answered. */
    status: text('status'),
    reason: text('reason'),
    /** The first kilobyte of the answer, without contact details. */
    answer: text('answer'),
  },
  (table) => [
    check('webhook_tries_outcome_check', sql`${table.outcome} in ('delivered', 'failed')`),
    check('webhook_tries_duration_check', sql`${table.durationMs} >= 0`),
    index('webhook_tries_message_idx').on(table.messageId),
  ],
);

export type WebhookMessageRow = typeof webhookMessages.$inferSelect;
export type WebhookAttemptRow = typeof webhookAttempts.$inferSelect;
