import { sql } from 'drizzle-orm';
import { check, pgTable, text } from 'drizzle-orm/pg-core';
import { unreachableCauses } from '#shared/admin/adminLeads.ts';
import { instant } from '../columns.ts';

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
