import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { deliveryChannels, deliveryStates, deliveryTemplates, holdCauses } from '#shared/admin/deliveries.ts';
import { bigNumber, checkValues, instant } from '../../columns.ts';
import { leads } from '../leads/leads.ts';
import { providers } from '../providers/providers.ts';

/**
 * One message to one recipient by one channel, however many attempts it needs. The table is the queue: a worker leases
 * due rows. A row is inserted in the transaction of the change that causes it. Its state changes only by
 * `changeDeliveries` and, after an attempt that is recorded, by `changeAttempted` (features/outbox/deliveryStates.ts).
 * Receivers recognize a repeat by `id` (webhooks: by the event's id).
 */
export const deliveries = pgTable(
  'deliveries',
  {
    id: uuid('id').primaryKey(),
    channel: text('channel', { enum: deliveryChannels }).notNull(),
    template: text('template', { enum: deliveryTemplates }).notNull().default('lead'),
    /** Deliveries of one queue wait only for each other: the channel's name, or the endpoint's id for webhooks. */
    queue: text('queue')
      .notNull()
      .generatedAlwaysAs(sql`coalesce(endpoint_id::text, channel)`),
    /** Null for webhooks: an event outlives its lead. */
    leadId: bigNumber('lead_id').references(() => leads.id, { onDelete: 'cascade' }),
    /** The provider it goes to or is about; null: the lead has none. */
    providerId: bigNumber('provider_id').references(() => providers.id, {
      onDelete: 'restrict',
    }),
    // No foreign keys, as their checks would delay a lead. The event is inserted in the same statement and purged with
    // its deliveries. The removal of an endpoint must neither delay nor fail a lead.
    eventId: uuid('event_id'),
    endpointId: uuid('endpoint_id'),
    state: text('state', { enum: deliveryStates }).notNull().default('queued'),
    /** Attempts that have started. */
    attempts: integer('attempts').notNull().default(0),
    /** The attempts before the current round: a retry by staff and a replay start a new one. */
    attemptsBeforeRound: integer('attempts_before_round').notNull().default(0),
    /** Set while an attempt is in progress: after this time, its worker counts as dead. A cancellation leaves it set. */
    leasedUntil: instant('leased_until'),
    /** Why it is held; null: its channel isn't configured. Means nothing in other states. */
    holdCause: text('hold_cause', { enum: holdCauses }),
    /** The next attempt of a queued or held row. During one, equals `leasedUntil`: due again if the worker dies. */
    nextAttemptAt: instant('next_attempt_at'),
    /** Why it is held, cancelled, failed or queued for a retry: a sentence for staff without contact details. */
    reason: text('reason'),
    /** How often its email bounced. A message after a bounce has a Message-ID of its own. */
    bounces: integer('bounces').notNull().default(0),
    /** Sent to a recipient marked as unreachable: staff retried it, or it tries whether the address works again. */
    ignoresUnreachable: boolean('ignores_unreachable').notNull().default(false),
    /** The recipient's id: the contact id of the CRM, so that a repeat creates no second contact, or the Message-ID. */
    remoteId: text('remote_id'),
    /** The name of the person or token that requested it; null: the lead's arrival or an event. */
    requestedBy: text('requested_by'),
    /** The person's earlier lead that the provider got within 24 hours with another email or phone. */
    correctsLeadId: bigNumber('corrects_lead_id'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Null while queued or held. */
    finishedAt: instant('finished_at'),
  },
  (table) => [
    checkValues('deliveries_channel_check', table.channel, deliveryChannels),
    checkValues('deliveries_template_check', table.template, deliveryTemplates),
    checkValues('deliveries_state_check', table.state, deliveryStates),
    check(
      'deliveries_webhook_check',
      sql`case when ${table.channel} = 'webhook'
        then ${table.template} = 'event' and ${table.eventId} is not null and ${table.endpointId} is not null
          and ${table.leadId} is null and ${table.providerId} is null
        else ${table.template} <> 'event' and ${table.eventId} is null and ${table.endpointId} is null and ${table.leadId} is not null end`,
    ),
    check(
      'deliveries_attempts_check',
      sql`${table.attempts} >= ${table.attemptsBeforeRound} and ${table.attemptsBeforeRound} >= 0`,
    ),
    check(
      'deliveries_next_attempt_check',
      sql`case ${table.state} when 'queued' then ${table.nextAttemptAt} is not null
        when 'held' then (${table.nextAttemptAt} is null or ${table.holdCause} is not null) else ${table.nextAttemptAt} is null end`,
    ),
    checkValues('deliveries_hold_check', table.holdCause, holdCauses),
    check(
      'deliveries_finished_check',
      sql`(${table.finishedAt} is null) = (${table.state} in ('queued', 'held'))`,
    ),
    check(
      'deliveries_reason_check',
      sql`case ${table.state} when 'queued' then true when 'delivered' then ${table.reason} is null else ${table.reason} is not null end`,
    ),
    check(
      'deliveries_lease_check',
      sql`${table.leasedUntil} is null or ${table.state} in ('queued', 'cancelled')`,
    ),
    check(
      'deliveries_corrects_check',
      sql`${table.correctsLeadId} is null or ${table.channel} = 'provider-email'`,
    ),
    index('deliveries_queue_idx')
      .on(table.queue, table.nextAttemptAt)
      .where(sql`${table.state} = 'queued'`),
    index('deliveries_lead_idx').on(table.leadId),
    // The leads that share a contact of the CRM.
    index('deliveries_contact_idx')
      .on(table.remoteId)
      .where(sql`${table.channel} = 'crm' and ${table.remoteId} is not null`),
    uniqueIndex('deliveries_event_key').on(table.eventId, table.endpointId),
    // An endpoint's deliveries, newest first.
    index('deliveries_endpoint_idx')
      .on(table.endpointId, table.createdAt.desc(), table.id)
      .where(sql`${table.endpointId} is not null`),
    // Released or cancelled each minute. Without a channel, its rows are held forever.
    index('deliveries_held_idx')
      .on(table.channel, table.createdAt)
      .where(sql`${table.state} = 'held'`),
    // Held for a refusal and due again.
    index('deliveries_held_due_idx')
      .on(table.nextAttemptAt)
      .where(sql`${table.state} = 'held' and ${table.nextAttemptAt} is not null`),
    // Held because a provider's address is marked as unreachable.
    index('deliveries_unreachable_idx')
      .on(table.providerId, table.createdAt)
      .where(sql`${table.state} = 'held' and ${table.holdCause} = 'unreachable'`),
    // Staff's list: what isn't delivered, newest first.
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
