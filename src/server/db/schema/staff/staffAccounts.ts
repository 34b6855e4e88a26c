import { sql } from 'drizzle-orm';
import { bigint, check, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant } from '../../columns.ts';

/**
 * Staff accounts, in addition to the shared password. A removed account is deleted; its actions stay in the audit log.
 */
export const staffAccounts = pgTable(
  'staff_accounts',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    name: text('name').notNull(),
    /** As typed. Addresses that differ only in case belong to one account. */
    email: text('email').notNull(),
    /** A PHC string (security/password.ts). */
    passwordHash: text('password_hash').notNull(),
    /** The password is an older one that a restore brought back, so nobody signs in with it. Null: it is valid. */
    passwordVoidAt: instant('password_void_at'),
    role: text('role', { enum: ['viewer', 'manager', 'owner'] }).notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastSignInAt: instant('last_sign_in_at'),
  },
  (table) => [
    check('staff_accounts_role_check', sql`${table.role} in ('viewer', 'manager', 'owner')`),
    check('staff_accounts_name_check', sql`length(btrim(${table.name})) between 1 and 100`),
    uniqueIndex('staff_accounts_email_key').on(sql`lower(${table.email})`),
    // The audit log identifies accounts by it.
    uniqueIndex('staff_accounts_name_key').on(sql`lower(${table.name})`),
  ],
);

export type StaffAccountRow = typeof staffAccounts.$inferSelect;
