import { sql } from 'drizzle-orm';
import { bigint, check, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { suppressionReasons } from '#shared/leads/suppression.ts';
import { instant } from '../../columns.ts';

/**
 * The people whom nobody may contact, by any channel; checked before every delivery. Stored as keyed hashes, so that
 * the list outlives the erasure of the person it protects.
 */
export const suppressions = pgTable(
  'suppressions',
  {
    kind: text('kind', { enum: ['email', 'phone'] }).notNull(),
    /** HMAC-SHA256, under the identity key (dataKeys.ts), of kind, line feed and the normalized value. */
    valueHmac: text('value_hmac').notNull(),
    /**
     * Of an email address: the same hash of its mailbox (features/identity/mailbox.ts). Null: the address is its own
     * mailbox, or nobody knows it, as only the hash of the address is left.
     */
    mailboxHmac: text('mailbox_hmac'),
    reason: text('reason', { enum: suppressionReasons }).notNull(),
    /** The lead it came from, until that is purged. */
    leadId: bigint('lead_id', { mode: 'number' }),
    /** 'Visitor', a staff member's or token's name, 'System'. */
    by: text('by').notNull(),
    at: instant('at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.valueHmac, table.kind] }),
    index('suppressions_mailbox_idx').on(table.mailboxHmac),
    check('suppressions_mailbox_check', sql`${table.mailboxHmac} ~ '^[0-9a-f]{64}$'`),
    index('suppressions_at_idx').on(table.at.desc(), table.valueHmac.desc(), table.kind.desc()),
    check('suppressions_kind_check', sql`${table.kind} in ('email', 'phone')`),
    check('suppressions_value_hmac_check', sql`${table.valueHmac} ~ '^[0-9a-f]{64}$'`),
    check(
      'suppressions_reason_check',
      sql`${table.reason} in ('unsubscribed', 'withdrawn', 'do-not-contact', 'bounced', 'erased')`,
    ),
  ],
);

export type SuppressionRow = typeof suppressions.$inferSelect;
