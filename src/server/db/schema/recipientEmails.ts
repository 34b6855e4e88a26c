import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

/**
 * Lead e-mails of the last week by recipient, over all processes: what the limits per address and the hourly ceiling count. One row per delivery,
 * however often it is attempted.
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
