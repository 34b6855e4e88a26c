import { sql } from 'drizzle-orm';
import { check, index, pgTable, primaryKey, text, boolean, jsonb, unique, uuid } from 'drizzle-orm/pg-core';
import { suppressionReasons, withdrawalWays } from '#shared/leads/suppression.ts';
import { bigNumber, checkValues, inet, instant } from '../../columns.ts';

/**
 * People whom nobody may contact; checked before every delivery. Keyed hashes, so that the list outlives an erasure.
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
    leadId: bigNumber('lead_id'),
    /** 'Visitor', a staff member's or token's name, 'System'. */
    by: text('by').notNull(),
    at: instant('at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.valueHmac, table.kind] }),
    index('suppressions_mailbox_idx').on(table.mailboxHmac),
    check('suppressions_mailbox_check', sql`${table.mailboxHmac} ~ '^[0-9a-f]{64}$'`),
    index('suppressions_at_idx').on(table.at.desc(), table.valueHmac.desc(), table.kind.desc()),
    checkValues('suppressions_kind_check', table.kind, ['email', 'phone']),
    check('suppressions_value_hmac_check', sql`${table.valueHmac} ~ '^[0-9a-f]{64}$'`),
    checkValues('suppressions_reason_check', table.reason, suppressionReasons),
  ],
);

export type SuppressionRow = typeof suppressions.$inferSelect;

/**
 * When a consent ended, by which way and whose word. Append-only like the consent itself: triggers refuse UPDATE,
 * TRUNCATE, and DELETE within five years. No foreign key: it outlives the lead's purge.
 */
export const consentWithdrawals = pgTable(
  'consent_withdrawals',
  {
    id: bigNumber('id').primaryKey().generatedAlwaysAsIdentity(),
    leadId: bigNumber('lead_id').notNull(),
    at: instant('at').notNull(),
    how: text('how', { enum: withdrawalWays }).notNull(),
    /** 'Visitor', a staff member's or token's name. */
    by: text('by').notNull(),
    ip: inet('ip'),
  },
  (table) => [
    checkValues('consent_withdrawals_how_check', table.how, withdrawalWays),
    index('consent_withdrawals_lead_idx').on(table.leadId),
  ],
);

export type ConsentWithdrawalRow = typeof consentWithdrawals.$inferSelect;

/**
 * Salted hashes of the personal values that an erasure removed. A trigger on `consent_records` blanks a record only
 * with its row here, and compares the hashes. Append-only; each row is sealed in the chain like the record.
 */
export const consentErasures = pgTable(
  'consent_erasures',
  {
    // No foreign key: an append-only row can't change with another one.
    recordId: bigNumber('record_id').primaryKey(),
    at: instant('at').notNull(),
    /** 32 random hexadecimal digits, different for each record. */
    salt: text('salt').notNull(),
    /** By column: SHA-256 of salt, column and value, joined by line feeds. Null: there was no value, or it was kept. */
    hashes: jsonb('hashes').$type<Record<string, string | null>>().notNull(),
    /** Whether the record still matched its sealed hash: an erasure must not hide a forgery. */
    wasIntact: boolean('was_intact').notNull(),
    /** Covers this row, the blanked record, and the record's original hash. */
    erasureHash: text('erasure_hash').notNull(),
  },
  (table) => [
    check('consent_erasures_salt_check', sql`${table.salt} ~ '^[0-9a-f]{32}$'`),
    check('consent_erasures_erasure_hash_check', sql`${table.erasureHash} ~ '^[0-9a-f]{64}$'`),
  ],
);

export type ConsentErasureRow = typeof consentErasures.$inferSelect;

/** What a restored database must repeat. */
export const ledgerKinds = ['erased', 'suppressed', 'suppression-lifted'] as const;

/**
 * What a restored backup must repeat: erasures, suppressions and lifts, written in the same transaction, with keyed
 * hashes and lead ids, never contact details. Workers number, sign and ship them to another place (features/ledger).
 */
export const erasureLedger = pgTable(
  'erasure_ledger',
  {
    /** In the order of the changes of each person; not in that of all commits. */
    id: bigNumber('id').primaryKey().generatedAlwaysAsIdentity(),
    /** The same in every copy of the database and in the shipped ledger. */
    entryId: uuid('entry_id').notNull().defaultRandom(),
    at: instant('at').notNull(),
    kind: text('kind', { enum: ledgerKinds }).notNull(),
    /** As in `suppressions.value_hmac`. */
    emailHmac: text('email_hmac'),
    phoneHmac: text('phone_hmac'),
    /** `leads.public_id` as it was before the erasure; for a suppression, of the lead that it came from. */
    leadPublicIds: uuid('lead_public_ids').array().notNull(),
    /** Of a suppression or an erasure, from a fixed list. */
    reason: text('reason'),
    how: text('how', { enum: withdrawalWays }),
    /** The place in the shipped ledger, without gaps. Null: not numbered yet. */
    sequence: bigNumber('sequence'),
    /** HMAC-SHA256 of the entry and the previous one's `mac` under the data key `key_id`. */
    keyId: text('key_id'),
    mac: text('mac'),
    shippedAt: instant('shipped_at'),
  },
  (table) => [
    unique('erasure_ledger_entry_id_unique').on(table.entryId),
    unique('erasure_ledger_sequence_unique').on(table.sequence),
    checkValues('erasure_ledger_kind_check', table.kind, ledgerKinds),
    check('erasure_ledger_email_hmac_check', sql`${table.emailHmac} ~ '^[0-9a-f]{64}$'`),
    check('erasure_ledger_phone_hmac_check', sql`${table.phoneHmac} ~ '^[0-9a-f]{64}$'`),
    check('erasure_ledger_mac_check', sql`${table.mac} ~ '^[0-9a-f]{64}$'`),
    check(
      'erasure_ledger_sequence_check',
      sql`num_nonnulls(${table.sequence}, ${table.keyId}, ${table.mac}) in (0, 3) and (${table.shippedAt} is null or ${table.sequence} is not null)`,
    ),
    index('erasure_ledger_unshipped_idx')
      .on(table.id)
      .where(sql`${table.shippedAt} is null`),
  ],
);

export type LedgerRow = typeof erasureLedger.$inferSelect;
