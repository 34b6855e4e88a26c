import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '../../columns.ts';

/**
 * That an owner answers for a claim of the brand that names no proof or no approval, as it read then: a changed text
 * needs another row. Append-only (sql/appendOnly.sql). No foreign key: a row outlives its account.
 */
export const claimAcceptances = pgTable(
  'claim_acceptances',
  {
    /** Of `shared/brand/claims.ts`. */
    claimId: text('claim_id').notNull(),
    textSha256: text('text_sha256').notNull(),
    claimText: text('claim_text').notNull(),
    acceptedBy: text('accepted_by').notNull(),
    /** Null: the owner had no account. */
    accountId: bigint('account_id', { mode: 'number' }),
    reason: text('reason').notNull(),
    acceptedAt: instant('accepted_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.claimId, table.textSha256] })],
);

export type ClaimAcceptanceRow = typeof claimAcceptances.$inferSelect;
