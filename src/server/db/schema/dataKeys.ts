import { sql } from 'drizzle-orm';
import { check, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { dataKeyPurposes } from '../dataKeyPurposes.ts';

/** Random keys, sealed under SECRET_KEYS: re-sealing them on rotation keeps every hash they made valid (src/server/security/dataKeys.ts). */
export const dataKeys = pgTable(
  'data_keys',
  {
    /** The purpose and a number from 1: `identity-1`. */
    id: text('id').primaryKey(),
    purpose: text('purpose', { enum: dataKeyPurposes }).notNull(),
    sealedKey: text('sealed_key').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [check('data_keys_purpose_check', sql`${table.purpose} in ('identity', 'consent-seal')`)],
);
