import { sql } from 'drizzle-orm';
import { check, integer, pgTable, text, uuid, index, jsonb } from 'drizzle-orm/pg-core';
import { disabledReasons, eventPayloads, eventTypes } from '#shared/admin/webhooks.ts';
import { bigNumber, checkValues, instant } from '../../columns.ts';

/**
 * Integrators' URLs that receive events. An endpoint is turned on and off only by features/webhooks/endpointStates.ts.
 */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: uuid('id').primaryKey(),
    url: text('url').notNull(),
    description: text('description').notNull().default(''),
    /** Empty: all types, including future ones. */
    types: text('types', { enum: eventTypes }).array().notNull(),
    payload: text('payload', { enum: eventPayloads }).notNull().default('thin'),
    /** Sealed (features/webhooks/endpointSecret.ts); opened only to sign. */
    secret: text('secret').notNull(),
    /** The previous secret, also sealed: messages are signed with both until `previousUntil`. */
    previousSecret: text('previous_secret'),
    previousUntil: instant('previous_until'),
    createdBy: text('created_by').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    disabledAt: instant('disabled_at'),
    disabledReason: text('disabled_reason', { enum: disabledReasons }),
    /** Failures in a row since the last success. */
    failures: integer('failures').notNull().default(0),
    firstFailedAt: instant('first_failed_at'),
  },
  (table) => [
    check('webhook_endpoints_url_check', sql`${table.url} ~ '^https?://'`),
    checkValues('webhook_endpoints_payload_check', table.payload, eventPayloads),
    check(
      'webhook_endpoints_previous_check',
      sql`(${table.previousSecret} is null) = (${table.previousUntil} is null)`,
    ),
    check(
      'webhook_endpoints_disabled_check',
      sql`(${table.disabledAt} is null) = (${table.disabledReason} is null)`,
    ),
    checkValues('webhook_endpoints_disabled_reason_check', table.disabledReason, disabledReasons),
    check(
      'webhook_endpoints_failures_check',
      sql`${table.failures} >= 0 and (${table.failures} = 0) = (${table.firstFailedAt} is null)`,
    ),
  ],
);

export type WebhookEndpointRow = typeof webhookEndpoints.$inferSelect;

/**
 * What happened, if an endpoint wants its type, written in the transaction that causes it. Ids and names of fields only:
 * contact details are read when it is sent, so an erasure reaches them. No foreign keys: an event outlives its lead.
 * Removed after `events` days.
 */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    /** The `webhook-id` is `msg_` and this id, the same for every attempt and endpoint. */
    id: uuid('id').primaryKey(),
    type: text('type').notNull(),
    at: instant('at').notNull().defaultNow(),
    leadId: bigNumber('lead_id'),
    providerId: bigNumber('provider_id'),
    data: jsonb('data').notNull().$type<Record<string, unknown>>(),
  },
  (table) => [index('webhook_events_at_idx').on(table.at)],
);

export type WebhookEventRow = typeof webhookEvents.$inferSelect;
