import { bigint, check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';
import { instant } from '../columns.ts';
import { leads } from './leads.ts';

/**
 * Responses to submissions, replayed for the same key. A key is inserted in the transaction of its lead: a second request with it waits on the
 * primary key until the first has committed, and then reads the stored response.
 */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    key: text('key').primaryKey(),
    requestSha256: text('request_sha256').notNull(),
    status: integer('status').notNull(),
    body: jsonb('body').notNull(),
    leadId: bigint('lead_id', { mode: 'number' }).references(() => leads.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    check('idempotency_keys_key_check', sql`length(${table.key}) between 1 and 320`),
    index('idempotency_keys_expires_idx').on(table.expiresAt),
    index('idempotency_keys_lead_idx').on(table.leadId),
  ],
);
