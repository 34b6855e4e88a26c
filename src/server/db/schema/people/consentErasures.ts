import { sql } from 'drizzle-orm';
import { bigint, boolean, check, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../../columns.ts';

/**
 * Salted hashes of the personal values that an erasure removed from a consent record. A trigger on `consent_records`
 * allows a record to be blanked only with its row here, and compares the hashes. Append-only; each row is sealed in the
 * chain like the record.
 */
export const consentErasures = pgTable(
  'consent_erasures',
  {
    // No foreign key: an append-only row can't change with another one.
    recordId: bigint('record_id', { mode: 'number' }).primaryKey(),
    at: instant('at').notNull(),
    /** 32 random hexadecimal digits, different for each record. */
    salt: text('salt').notNull(),
    /**
     * By column of the record: SHA-256 of salt, column and value, joined by line feeds. Null: there was no value, or it
     * was kept.
     */
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
