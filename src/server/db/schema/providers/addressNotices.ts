import { sql } from 'drizzle-orm';
import { bigint, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../columns.ts';
import { providers } from './providers.ts';

/**
 * Changes of the address that gets a provider's leads. The former address gets a message about each, unless there are
 * too many in an hour (features/addressNotices). Written in the transaction of the change; a worker sends them.
 */
export const addressNotices = pgTable(
  'address_notices',
  {
    /** Names the message, so that a repeat is recognized. */
    id: uuid('id').primaryKey().defaultRandom(),
    providerId: bigint('provider_id', { mode: 'number' })
      .notNull()
      .references(() => providers.id, { onDelete: 'cascade' }),
    /** The former address; null: nothing is sent to it, or not any more. */
    address: text('address'),
    changedAt: instant('changed_at').notNull().defaultNow(),
    nextAttemptAt: instant('next_attempt_at').notNull().defaultNow(),
  },
  (table) => [
    index('address_notices_changed_idx').on(table.changedAt),
    index('address_notices_due_idx')
      .on(table.nextAttemptAt)
      .where(sql`${table.address} is not null`),
  ],
);
