import { sql } from 'drizzle-orm';
import { bigint, boolean, check, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

/**
 * What is left of the personal values that were taken out of a consent record: a salted hash each. A trigger on `consent_records` lets a record
 * be blanked only against its row here, and compares the hashes itself. Append-only; each is a link of the chain like the record was.
 */
export const consentErasures = pgTable(
  'consent_erasures',
  {
    // No foreign key: an append-only row can't follow another one.
    recordId: bigint('record_id', { mode: 'number' }).primaryKey(),
    at: instant('at').notNull(),
    /** 32 random hexadecimal digits, of this record alone. */
    salt: text('salt').notNull(),
    /** By the record's column: SHA-256 of salt, column and value, a line feed between; null where there was no value or it was kept. */
    hashes: jsonb('hashes').$type<Record<string, string | null>>().notNull(),
    /** Whether the record still had the hash it was sealed with: an erasure must not cover a forgery up. */
    wasIntact: boolean('was_intact').notNull(),
    /** Of this row, of what is left of the record, and of the record's own hash. */
    erasureHash: text('erasure_hash').notNull(),
  },
  (table) => [
    check('consent_erasures_salt_check', sql`${table.salt} ~ '^[0-9a-f]{32}$'`),
    check('consent_erasures_erasure_hash_check', sql`${table.erasureHash} ~ '^[0-9a-f]{64}$'`),
  ],
);

export type ConsentErasureRow = typeof consentErasures.$inferSelect;
