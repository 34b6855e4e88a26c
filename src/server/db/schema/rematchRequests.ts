import { bigint, pgTable } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

/**
 * That leads without a clinic may find one now: a row whenever a clinic appeared, was activated, moved, or takes leads from another radius, and
 * whenever such a lead was let out of quarantine or restored. Written by triggers (migration `outcomes`), in the transaction of the change, so that
 * none is missed while no process listens; emptied by features/leads/rematch.ts.
 */
export const rematchRequests = pgTable('rematch_requests', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  at: instant('at').notNull().defaultNow(),
});
