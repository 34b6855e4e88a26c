import { sql } from 'drizzle-orm';
import { bigint, check, index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { withdrawalWays } from '#shared/leads/suppression.ts';
import { instant } from '../../columns.ts';

/** What a restored database must repeat. */
export const ledgerKinds = ['erased', 'suppressed', 'suppression-lifted'] as const;

/**
 * What a restored backup must repeat: erasures, suppressions and their lifts, written in the same transaction. Contains
 * keyed hashes and ids of leads, never contact details. Workers number the entries, sign them and ship them to a place
 * outside the database (features/ledger).
 */
export const erasureLedger = pgTable(
  'erasure_ledger',
  {
    /** In the order of the changes of each person; not in that of all commits. */
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
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
    sequence: bigint('sequence', { mode: 'number' }),
    /** HMAC-SHA256 of the entry and the previous one's `mac` under the data key `key_id`. */
    keyId: text('key_id'),
    mac: text('mac'),
    shippedAt: instant('shipped_at'),
  },
  (table) => [
    unique('erasure_ledger_entry_id_unique').on(table.entryId),
    unique('erasure_ledger_sequence_unique').on(table.sequence),
    check('erasure_ledger_kind_check', sql`${table.kind} in ('erased', 'suppressed', 'suppression-lifted')`),
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
