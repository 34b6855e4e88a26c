import { instant } from '../../columns.ts';
import { integer, pgTable, text } from 'drizzle-orm/pg-core';

/**
 * Counters with an end (`security/sharedCounters.ts`), shared by all processes. Keys are keyed hashes of an
 * address, a phone number or a token, never these. The migration makes the table unlogged, which drizzle can't express.
 */
export const rateLimits = pgTable('rate_limits', {
  key: text('key').primaryKey(),
  points: integer('points').notNull().default(0),
  expire: instant('expire'),
});
