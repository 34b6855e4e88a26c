import { sql } from 'drizzle-orm';
import { bigint, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant, xid8 } from '../columns.ts';

/**
 * What happened that some endpoint wants to hear of; written by triggers in the transaction of the deed. Ids and names of fields alone: contact
 * details are read when a message is sent, so that an erasure reaches them. No foreign keys: an event outlives the lead whose deletion it tells
 * of. Kept for thirty days.
 */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    /** With `msg_` before it the `webhook-id`, the same in every try and to every endpoint. */
    id: uuid('id').primaryKey(),
    type: text('type').notNull(),
    at: instant('at').notNull().defaultNow(),
    leadId: bigint('lead_id', { mode: 'number' }),
    providerId: bigint('provider_id', { mode: 'number' }),
    data: jsonb('data').notNull().$type<Record<string, unknown>>(),
    xact: xid8('xact')
      .notNull()
      .default(sql`pg_current_xact_id()`),
  },
  (table) => [
    // However often one transaction writes a clinic, it is told of once. Its time too, as its number may come again in a restored database.
    uniqueIndex('webhook_events_provider_xact_key')
      .on(table.xact, table.at, table.providerId, table.type)
      .where(sql`${table.type} like 'provider.%'`),
    index('webhook_events_at_idx').on(table.at),
  ],
);

export type WebhookEventRow = typeof webhookEvents.$inferSelect;
