import { bigint, pgTable } from 'drizzle-orm/pg-core';
import { instant } from '../../columns.ts';

/**
 * Requests to match unmatched leads again: one when a provider was added, activated, moved or got another radius, and
 * one when an unmatched lead was released or restored. Inserted by `requestRematch` in the transaction of the change,
 * so that none is lost, and deleted by the worker (features/leads/changes/rematch.ts).
 */
export const rematchRequests = pgTable('rematch_requests', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  at: instant('at').notNull().defaultNow(),
});
