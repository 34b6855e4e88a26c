import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { unreachableCauses } from '#shared/admin/adminLeads.ts';
import { bigNumber, instant } from '../../columns.ts';
import { providers } from '../providers/providers.ts';

/** Lead emails of the last week by recipient, for the limits per address and hour. One row per delivery. */
export const recipientEmails = pgTable(
  'recipient_emails',
  {
    deliveryId: uuid('delivery_id').primaryKey(),
    /** HMAC-SHA256, under the identity key, of the mailbox (features/identity/mailbox.ts). */
    recipientHmac: text('recipient_hmac').notNull(),
    sentAt: instant('sent_at').notNull().defaultNow(),
    /** The same of the domain and the first letters of the address. Null: counted by version 1.0.0 or 1.0.1. */
    prefixHmac: text('prefix_hmac'),
    /** The same of the domain. */
    domainHmac: text('domain_hmac'),
  },
  (table) => [
    index('recipient_emails_recipient_idx').on(table.recipientHmac, table.sentAt),
    index('recipient_emails_domain_idx').on(table.domainHmac, table.prefixHmac, table.sentAt),
    index('recipient_emails_sent_idx').on(table.sentAt),
  ],
);

/**
 * Email addresses of people that no automatic message is sent to, because one bounced. Calls are allowed: this is no
 * suppression. Those of providers are marked in `unreachable_providers`; 1.0.0 listed them here too.
 */
export const unreachableAddresses = pgTable(
  'unreachable_addresses',
  {
    /** HMAC-SHA256, under the identity key, of the normalized address (lower case, plus tag removed). */
    recipientHmac: text('recipient_hmac').primaryKey(),
    cause: text('cause', { enum: unreachableCauses }).notNull(),
    at: instant('at').notNull(),
  },
  (table) => [check('unreachable_addresses_cause_check', sql`${table.cause} in ('bounce', 'complaint')`)],
);

/**
 * Addresses of providers that refuse email. A mark applies to every provider that has the address now, and so ends for
 * one whose address changes. While it is in force, emails to the address are held (features/unreachable).
 */
export const unreachableProviders = pgTable(
  'unreachable_providers',
  {
    /** `lower(btrim(email))` of its providers. */
    address: text('address').primaryKey(),
    /** `bounce`: a refusal while sending, too. */
    cause: text('cause', { enum: unreachableCauses }).notNull(),
    /** The enhanced status code, such as 5.1.1; null without one. */
    code: text('code'),
    /** What the mail server or service said: a sentence for staff without contact details. */
    reason: text('reason').notNull(),
    since: instant('since').notNull(),
    /** When a held email tries the address again; null after a complaint, which only an owner lifts. */
    nextTrialAt: instant('next_trial_at'),
    /** When an email was accepted since. Unless one bounces within 24 hours, the mark ends. */
    acceptedAt: instant('accepted_at'),
    /** When a new lead last left after that: one an hour does. */
    lastSentAt: instant('last_sent_at'),
  },
  (table) => [check('unreachable_providers_cause_check', sql`${table.cause} in ('bounce', 'complaint')`)],
);

export type AddressMark = typeof unreachableProviders.$inferSelect;

/**
 * Changes of the address that gets a provider's leads. The former address gets a message about each, unless there are
 * too many in an hour (features/addressNotices). Written in the transaction of the change; a worker sends them.
 */
export const addressNotices = pgTable(
  'address_notices',
  {
    /** Names the message, so that a repeat is recognized. */
    id: uuid('id').primaryKey().defaultRandom(),
    providerId: bigNumber('provider_id')
      .notNull()
      .references(() => providers.id, { onDelete: 'cascade' }),
    /** The former address; null: nothing is sent to it, or not any more. */
    address: text('address'),
    changedAt: instant('changed_at').notNull().defaultNow(),
    nextAttemptAt: instant('next_attempt_at').notNull().defaultNow(),
  },
  (table) => [
    index('address_notices_changed_idx').on(table.changedAt),
    index('address_notices_due_idx')
      .on(table.nextAttemptAt)
      .where(sql`${table.address} is not null`),
  ],
);
