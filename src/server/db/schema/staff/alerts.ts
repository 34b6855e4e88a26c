import { sql } from 'drizzle-orm';
import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '../../columns.ts';

/**
 * Faults that staff must know of and that aren't about one lead. A row is open: it is deleted when the fault ends, or
 * when staff dismiss it.
 */
export const alerts = pgTable(
  'alerts',
  {
    /** Of `alertKinds` (shared/admin/alerts.ts). Not checked: a later version may have more. */
    kind: text('kind').notNull(),
    /** What it is about: a channel, a provider's id. Empty if the kind says it all. */
    subject: text('subject').notNull().default(''),
    /** A sentence for staff without contact details. */
    message: text('message').notNull(),
    since: instant('since').notNull().defaultNow(),
    /** When owners got an email about it; null: not yet. */
    mailedAt: instant('mailed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.subject] }),
    index('alerts_unmailed_idx')
      .on(table.since)
      .where(sql`${table.mailedAt} is null`),
  ],
);

export type AlertRow = typeof alerts.$inferSelect;
