import { sql } from 'drizzle-orm';
import { bigint, check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../columns.ts';

/** What ends somebody's access: a token was revoked, an account removed, an account's password replaced. */
export const accessChangeKinds = ['token-revoked', 'account-removed', 'password-changed'] as const;

/**
 * Ends of access that a restored backup must repeat, written in the same transaction. Workers note them beside the
 * erasure ledger (features/ledger/noteLedger.ts).
 */
export const accessChanges = pgTable(
  'access_changes',
  {
    /** The same in every copy of the database and in the notes. */
    id: uuid('id').primaryKey().defaultRandom(),
    kind: text('kind', { enum: accessChangeKinds }).notNull(),
    /** Of `api_tokens` or `staff_accounts`. */
    targetId: bigint('target_id', { mode: 'number' }).notNull(),
    at: instant('at').notNull().defaultNow(),
    /** When the notes had it. */
    notedAt: instant('noted_at'),
  },
  (table) => [
    check(
      'access_changes_kind_check',
      sql`${table.kind} in ('token-revoked', 'account-removed', 'password-changed')`,
    ),
    index('access_changes_unnoted_idx')
      .on(table.at)
      .where(sql`${table.notedAt} is null`),
  ],
);

export type AccessChangeRow = typeof accessChanges.$inferSelect;
