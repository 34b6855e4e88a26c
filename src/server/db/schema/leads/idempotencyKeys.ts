import { bigint, check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';
import { instant } from '../../columns.ts';

/**
 * The answer to the first submission of each key. It is inserted in the transaction that stores the submission, so a
 * second one with the same key waits for that transaction and then reads its answer.
 */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    key: text('key').primaryKey(),
    requestSha256: text('request_sha256').notNull(),
    status: integer('status').notNull(),
    body: jsonb('body').notNull(),
    /** No reference: the key is claimed before its lead is inserted. */
    leadId: bigint('lead_id', { mode: 'number' }),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    check('idempotency_keys_key_check', sql`length(${table.key}) between 1 and 320`),
    index('idempotency_keys_expires_idx').on(table.expiresAt),
    index('idempotency_keys_lead_idx').on(table.leadId),
  ],
);
