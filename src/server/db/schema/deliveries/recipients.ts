import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { unreachableCauses } from '#shared/admin/adminLeads.ts';
import { instant } from '../../columns.ts';

/**
 * Lead emails of the last week by recipient, counted across processes for the limit per address and the hourly limit.
 * One row per delivery, regardless of its attempts.
 */
export const recipientEmails = pgTable(
  'recipient_emails',
  {
    deliveryId: uuid('delivery_id').primaryKey(),
    /** HMAC-SHA256, under the identity key, of the normalized address (lower case, plus tag removed). */
    recipientHmac: text('recipient_hmac').notNull(),
    sentAt: instant('sent_at').notNull().defaultNow(),
  },
  (table) => [
    index('recipient_emails_recipient_idx').on(table.recipientHmac, table.sentAt),
    index('recipient_emails_sent_idx').on(table.sentAt),
  ],
);

/**
 * Email addresses that no automatic message is sent to, because one bounced or its recipient reported it as spam. Calls
 * go on: this is no suppression.
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
