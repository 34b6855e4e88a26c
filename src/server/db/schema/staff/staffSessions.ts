import { sql } from 'drizzle-orm';
import { bigint, check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../columns.ts';
import { staffAccounts } from './staffAccounts.ts';

/**
 * Staff sessions. The cookie's value is stored as its SHA-256 only. Name and role are read from the account, so that a
 * change applies immediately. A session without an account belongs to the shared password.
 */
export const staffSessions = pgTable(
  'staff_sessions',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    tokenSha256: text('token_sha256').notNull().unique(),
    accountId: bigint('account_id', { mode: 'number' }).references(() => staffAccounts.id, {
      onDelete: 'cascade',
    }),
    /** Fingerprint of the password hash at sign-in: a new password ends older sessions. */
    passwordSha256: text('password_sha256').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastSeenAt: instant('last_seen_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    check('staff_sessions_token_sha256_check', sql`${table.tokenSha256} ~ '^[0-9a-f]{64}$'`),
    index('staff_sessions_account_idx').on(table.accountId),
    index('staff_sessions_expires_idx').on(table.expiresAt),
  ],
);
