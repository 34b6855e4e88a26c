import { pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { staffRoles } from '#shared/admin/staff.ts';
import { bigNumber, checkValues, instant } from '../../columns.ts';
import { staffAccounts } from './access.ts';

/** Two-factor sign-in of an account: an app's codes by time (RFC 6238), and codes for a lost phone. */
export const secondFactors = pgTable('staff_second_factors', {
  /** The account's id. */
  id: bigNumber('id')
    .primaryKey()
    .references(() => staffAccounts.id, { onDelete: 'cascade' }),
  /** Sealed under SECRET_KEYS (features/auth/totp.ts). */
  sealedSecret: text('sealed_secret').notNull(),
  /** Number of the 30-second step of the last code that was used: no code works twice. */
  lastStep: bigNumber('last_step').notNull(),
  /** SHA-256 of the recovery codes that are left. */
  recoverySha256: text('recovery_sha256').array().notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
});

export type SecondFactorRow = typeof secondFactors.$inferSelect;

/** Roles whose accounts must have a second factor. */
export const secondFactorRoles = pgTable(
  'staff_second_factor_roles',
  { role: text('role', { enum: staffRoles }).primaryKey() },
  (table) => [checkValues('staff_second_factor_roles_role_check', table.role, staffRoles)],
);

/** Accounts of the single sign-on's provider. The first sign-in links one by its verified email address. */
export const staffIdentities = pgTable(
  'staff_identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    accountId: bigNumber('account_id')
      .notNull()
      .references(() => staffAccounts.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    uniqueIndex('staff_identities_account_key').on(table.accountId, table.issuer),
  ],
);
