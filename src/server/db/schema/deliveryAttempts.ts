import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { deliveryChannels, deliveryOutcomes } from '#shared/admin/deliveries.ts';
import { instant } from '../columns.ts';
import { deliveries } from './deliveries.ts';
import { leads } from './leads.ts';

/** Every try to deliver a lead to somebody, as it ended. They go when the lead is purged. */
export const deliveryAttempts = pgTable(
  'delivery_tries',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    leadId: bigint('lead_id', { mode: 'number' })
      .notNull()
      .references(() => leads.id, { onDelete: 'cascade' }),
    /** What was tried; null for tries older than deliveries were kept. */
    deliveryId: uuid('delivery_id').references(() => deliveries.id, { onDelete: 'cascade' }),
    channel: text('channel', { enum: deliveryChannels }).notNull(),
    /** When it was over. */
    at: instant('at').notNull().defaultNow(),
    durationMs: integer('duration_ms').notNull(),
    outcome: text('outcome', { enum: deliveryOutcomes }).notNull(),
    /** What the far side said in short: 'HTTP 503', 'SMTP 250'. Null where it said nothing. */
    status: text('status'),
    /** The first kilobyte of its answer, without contact details. */
    answer: text('answer'),
  },
  (table) => [
    check('delivery_tries_channel_check', sql`${table.channel} in ('lead-email', 'clinic-email', 'crm')`),
    check('delivery_tries_outcome_check', sql`${table.outcome} in ('delivered', 'failed')`),
    check('delivery_tries_duration_check', sql`${table.durationMs} >= 0`),
    // A lead's history, and its first delivery, which is the first of its entries.
    index('delivery_tries_lead_idx').on(table.leadId, table.outcome, table.at),
    index('delivery_tries_delivery_idx').on(table.deliveryId),
    // Tries by day, read from the index alone.
    index('delivery_tries_at_idx').on(table.at, table.channel, table.outcome),
  ],
);

export type DeliveryAttemptRow = typeof deliveryAttempts.$inferSelect;
export type DeliveryAttemptInsert = typeof deliveryAttempts.$inferInsert;
