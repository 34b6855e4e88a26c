import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

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
