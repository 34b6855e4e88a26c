import { sql } from 'drizzle-orm';
import { bigint, check, index, pgTable, text } from 'drizzle-orm/pg-core';
import { withdrawalWays } from '#shared/leads/suppression.ts';
import { inet, instant } from '../../columns.ts';

/**
 * When a consent ended, by which way and whose word. Append-only like the consent itself: triggers refuse UPDATE,
 * TRUNCATE, and DELETE within five years. No foreign key: it outlives the lead's purge.
 */
export const consentWithdrawals = pgTable(
  'consent_withdrawals',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    leadId: bigint('lead_id', { mode: 'number' }).notNull(),
    at: instant('at').notNull(),
    how: text('how', { enum: withdrawalWays }).notNull(),
    /** 'Visitor', a staff member's or token's name. */
    by: text('by').notNull(),
    ip: inet('ip'),
  },
  (table) => [
    check(
      'consent_withdrawals_how_check',
      sql`${table.how} in ('page', 'one-click', 'reply', 'complaint', 'staff', 'erasure')`,
    ),
    index('consent_withdrawals_lead_idx').on(table.leadId),
  ],
);

export type ConsentWithdrawalRow = typeof consentWithdrawals.$inferSelect;
