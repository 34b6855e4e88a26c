import { bigint, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../columns.ts';

/**
 * What happened, if an endpoint wants its type; written by `recordEvents` in the transaction that caused it. Ids and
 * names of fields only: contact details are read when an event is sent, so that an erasure reaches them. No foreign
 * keys: an event outlives the lead whose deletion it reports. Removed after `events` days (config/retention.ts).
 */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    /** The `webhook-id` is `msg_` and this id, the same for every attempt and endpoint. */
    id: uuid('id').primaryKey(),
    type: text('type').notNull(),
    at: instant('at').notNull().defaultNow(),
    leadId: bigint('lead_id', { mode: 'number' }),
    providerId: bigint('provider_id', { mode: 'number' }),
    data: jsonb('data').notNull().$type<Record<string, unknown>>(),
  },
  (table) => [index('webhook_events_at_idx').on(table.at)],
);

export type WebhookEventRow = typeof webhookEvents.$inferSelect;
