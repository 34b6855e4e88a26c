import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { deliveryChannels, deliveryStates, deliveryTemplates } from '#shared/admin/deliveries.ts';
import { instant } from '../columns.ts';
import { leads } from './leads.ts';
import { providers } from './providers.ts';

/**
 * What is to reach somebody about a lead: one row each message or record, however often it is tried, written in the lead's own transaction. Its job
 * is made by a trigger: whatever is queued, by whomever, has one. `id` is the key a receiver knows a repeat by.
 */
export const deliveries = pgTable(
  'deliveries',
  {
    id: uuid('id').primaryKey(),
    leadId: bigint('lead_id', { mode: 'number' })
      .notNull()
      .references(() => leads.id, { onDelete: 'cascade' }),
    channel: text('channel', { enum: deliveryChannels }).notNull(),
    template: text('template', { enum: deliveryTemplates }).notNull().default('lead'),
    /** The clinic it goes to, or that it tells of; null: no clinic was found. */
    providerId: bigint('provider_id', { mode: 'number' }).references(() => providers.id, {
      onDelete: 'restrict',
    }),
    state: text('state', { enum: deliveryStates }).notNull().default('queued'),
    /** Tries begun so far. */
    attempts: integer('tries').notNull().default(0),
    /** How many there had been when the schedule of tries last began anew: staff begin it again. */
    roundBegan: integer('round_began').notNull().default(0),
    /** While a try is under way, when whoever makes it must have died. */
    claimedUntil: instant('claimed_until'),
    /** Null unless queued. */
    nextAttemptAt: instant('next_try_at'),
    /** Why it is held, cancelled, failed, or being tried again: a sentence for staff without contact details. */
    reason: text('reason'),
    /** What the far side calls it: a CRM's contact, so that a repeat makes no second one; a Message-ID. */
    remoteId: text('remote_id'),
    /** A person's or token's name where staff asked for it; null: the lead's own arrival. */
    requestedBy: text('requested_by'),
    /** The earlier lead of the same person that the provider received within the last 24 hours with another e-mail or phone. */
    correctsLeadId: bigint('corrects_lead_id', { mode: 'number' }),
    createdAt: instant('created_at').notNull().defaultNow(),
    finishedAt: instant('finished_at'),
  },
  (table) => [
    check('deliveries_channel_check', sql`${table.channel} in ('lead-email', 'clinic-email', 'crm')`),
    check('deliveries_template_check', sql`${table.template} in ('lead', 'withdrawn', 'erased')`),
    check(
      'deliveries_state_check',
      sql`${table.state} in ('queued', 'delivered', 'failed', 'held', 'cancelled')`,
    ),
    check(
      'deliveries_tries_check',
      sql`${table.attempts} >= ${table.roundBegan} and ${table.roundBegan} >= 0`,
    ),
    check('deliveries_next_try_check', sql`(${table.nextAttemptAt} is null) = (${table.state} <> 'queued')`),
    check(
      'deliveries_held_check',
      sql`${table.state} not in ('held', 'cancelled') or ${table.reason} is not null`,
    ),
    index('deliveries_lead_idx').on(table.leadId),
    // Staff's list: what isn't over or went wrong, newest first.
    index('deliveries_open_idx')
      .on(table.state, table.createdAt.desc())
      .where(sql`${table.state} <> 'delivered'`),
    // Which leads one failed for, and whether another of its channel came after it.
    index('deliveries_failed_idx')
      .on(table.leadId, table.channel, table.createdAt)
      .where(sql`${table.state} = 'failed'`),
    index('deliveries_created_idx').on(table.createdAt.desc(), table.id),
  ],
);

export type DeliveryRow = typeof deliveries.$inferSelect;
export type DeliveryInsert = typeof deliveries.$inferInsert;
