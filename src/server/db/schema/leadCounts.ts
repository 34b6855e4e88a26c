import { bigint, integer, pgTable } from 'drizzle-orm/pg-core';

/**
 * Leads of each clinic, deleted ones left out: this count and the sum of `lead_count_changes` together, always. Kept by triggers on `leads`
 * (migrations/0007), because counting millions takes a second. No foreign keys: each lead would pay for them.
 */
export const leadCounts = pgTable('lead_counts', {
  providerId: bigint('provider_id', { mode: 'number' }).primaryKey(),
  count: integer('count').notNull(),
});

/** What isn't in `lead_counts` yet. Rows are only ever added, so that leads of one clinic never queue for its count. */
export const leadCountChanges = pgTable('lead_count_changes', {
  providerId: bigint('provider_id', { mode: 'number' }).notNull(),
  /** 1 or -1. */
  change: integer('change').notNull(),
});
