import { sql } from 'drizzle-orm';
import { check, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../../columns.ts';

/**
 * `identity`: keyed hashes of email addresses and phone numbers. `consent-seal`: the HMAC of each seal.
 * `erasure-ledger`: the HMAC of each entry of the erasure ledger.
 */
export const dataKeyPurposes = ['identity', 'consent-seal', 'erasure-ledger'] as const;
export type DataKeyPurpose = (typeof dataKeyPurposes)[number];

/**
 * Random keys, sealed under SECRET_KEYS. A rotation seals them again, so that hashes made with them stay valid
 * (src/server/security/dataKeys.ts).
 */
export const dataKeys = pgTable(
  'data_keys',
  {
    /** Purpose and number, such as `identity-1`. */
    id: text('id').primaryKey(),
    purpose: text('purpose', { enum: dataKeyPurposes }).notNull(),
    sealedKey: text('sealed_key').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    check('data_keys_purpose_check', sql`${table.purpose} in ('identity', 'consent-seal', 'erasure-ledger')`),
  ],
);
