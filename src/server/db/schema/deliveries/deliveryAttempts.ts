import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, text, uuid, boolean } from 'drizzle-orm/pg-core';
import { deliveryChannels, deliveryOutcomes, refusalClasses } from '#shared/admin/deliveries.ts';
import { bigNumber, checkValues, instant } from '../../columns.ts';
import { deliveries } from './deliveries.ts';
import { leads } from '../leads/leads.ts';

/** Every attempt of a delivery, with its result. Attempts are deleted with their delivery. */
export const deliveryAttempts = pgTable(
  'delivery_attempts',
  {
    id: bigNumber('id').notNull().generatedAlwaysAsIdentity(),
    deliveryId: uuid('delivery_id')
      .notNull()
      .references(() => deliveries.id, { onDelete: 'cascade' }),
    /** Null for webhooks. */
    leadId: bigNumber('lead_id').references(() => leads.id, { onDelete: 'cascade' }),
    channel: text('channel', { enum: deliveryChannels }).notNull(),
    at: instant('at').notNull().defaultNow(),
    durationMs: integer('duration_ms').notNull(),
    outcome: text('outcome', { enum: deliveryOutcomes }).notNull(),
    /** The response in short: 'HTTP 503', 'SMTP 250'. Null without a response. */
    status: text('status'),
    /** Why it failed: a sentence for staff without contact details. */
    reason: text('reason'),
    /** The first kilobyte of the response, without contact details. */
    answer: text('answer'),
    /** Whom the refusal concerned by itself (features/outbox/refusals.ts); null: none, or an attempt of 1.0.0. */
    refusal: text('refusal', { enum: refusalClasses }),
    /** The provider's address that an email went to. Null for other channels, and for attempts of 1.0.0. */
    address: text('address'),
  },
  (table) => [
    // With the time, so that the table can be partitioned by it.
    primaryKey({ columns: [table.at, table.id] }),
    checkValues('delivery_attempts_channel_check', table.channel, deliveryChannels),
    check('delivery_attempts_lead_check', sql`(${table.leadId} is null) = (${table.channel} = 'webhook')`),
    checkValues('delivery_attempts_outcome_check', table.outcome, deliveryOutcomes),
    checkValues('delivery_attempts_refusal_check', table.refusal, refusalClasses),
    check('delivery_attempts_duration_check', sql`${table.durationMs} >= 0`),
    // A lead's history, and its first successful attempt.
    index('delivery_attempts_lead_idx').on(table.leadId, table.outcome, table.at),
    index('delivery_attempts_delivery_idx').on(table.deliveryId),
    // Attempts by day, read from the index only.
    index('delivery_attempts_at_idx').on(table.at, table.channel, table.outcome),
  ],
);

export type DeliveryAttemptRow = typeof deliveryAttempts.$inferSelect;
export type DeliveryAttemptInsert = typeof deliveryAttempts.$inferInsert;

/**
 * Channels that refuse this installation (wrong password, blocked host). Deleted when one accepts. Read before leases.
 */
export const channelRefusals = pgTable('channel_refusals', {
  channel: text('channel', { enum: deliveryChannels }).primaryKey(),
  since: instant('since').notNull().defaultNow(),
  /** Refused before any recipient was named: one delivery is attempted at this time, and the others wait. */
  nextProbeAt: instant('next_probe_at'),
  /** How many deliveries were attempted since it is paused. */
  probes: integer('probes').notNull().default(0),
  /** It refuses one recipient after the other and accepts none: the refusals are ours. */
  isRun: boolean('is_run').notNull().default(false),
});

export type ChannelRefusalRow = typeof channelRefusals.$inferSelect;
