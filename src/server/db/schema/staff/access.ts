import { sql } from 'drizzle-orm';
import { check, pgTable, text, uniqueIndex, index, uuid, integer } from 'drizzle-orm/pg-core';
import { bigNumber, checkValues, instant } from '../../columns.ts';
import { tokenScopes, staffRoles } from '#shared/admin/staff.ts';

/**
 * Staff accounts, in addition to the shared password. A removed account is deleted; its actions stay in the audit log.
 */
export const staffAccounts = pgTable(
  'staff_accounts',
  {
    id: bigNumber('id').primaryKey().generatedByDefaultAsIdentity(),
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
    checkValues('staff_accounts_role_check', table.role, staffRoles),
    check('staff_accounts_name_check', sql`length(btrim(${table.name})) between 1 and 100`),
    uniqueIndex('staff_accounts_email_key').on(sql`lower(${table.email})`),
    // The audit log identifies accounts by it.
    uniqueIndex('staff_accounts_name_key').on(sql`lower(${table.name})`),
  ],
);

export type StaffAccountRow = typeof staffAccounts.$inferSelect;

/**
 * People who may choose a password and become an account. Their link (features/auth/signInLinks.ts) ends a week after
 * `sent_at`. The row is deleted when they accept it, when an owner withdraws it, and after a restore.
 */
export const staffInvitations = pgTable(
  'staff_invitations',
  {
    id: bigNumber('id').primaryKey().generatedByDefaultAsIdentity(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    role: text('role', { enum: ['viewer', 'manager', 'owner'] }).notNull(),
    invitedBy: text('invited_by').notNull(),
    /** Each sending makes the link of the former one invalid. */
    sentAt: instant('sent_at').notNull(),
  },
  (table) => [
    checkValues('staff_invitations_role_check', table.role, staffRoles),
    check('staff_invitations_name_check', sql`length(btrim(${table.name})) between 1 and 100`),
    uniqueIndex('staff_invitations_email_key').on(sql`lower(${table.email})`),
    uniqueIndex('staff_invitations_name_key').on(sql`lower(${table.name})`),
  ],
);

export type StaffInvitationRow = typeof staffInvitations.$inferSelect;

/**
 * Staff sessions. The cookie's value is stored as its SHA-256 only. Name and role are read from the account, so that a
 * change applies immediately. A session without an account belongs to the shared password.
 */
export const staffSessions = pgTable(
  'staff_sessions',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    tokenSha256: text('token_sha256').notNull().unique(),
    accountId: bigNumber('account_id').references(() => staffAccounts.id, {
      onDelete: 'cascade',
    }),
    /** Fingerprint of the password hash at sign-in: a new password ends older sessions. */
    passwordSha256: text('password_sha256').notNull(),
    /** Browser and system in words, such as "Firefox on Windows". Null: unknown. */
    device: text('device'),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastSeenAt: instant('last_seen_at').notNull().defaultNow(),
    /** When the person proved again who they are. Null: not since the sign-in. */
    provedAt: instant('proved_at'),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    check('staff_sessions_token_sha256_check', sql`${table.tokenSha256} ~ '^[0-9a-f]{64}$'`),
    index('staff_sessions_account_idx').on(table.accountId),
    index('staff_sessions_expires_idx').on(table.expiresAt),
  ],
);

/** Owners who get the week's figures by email. Without a row, an account gets none. */
export const weeklyEmails = pgTable('weekly_emails', {
  accountId: bigNumber('account_id')
    .primaryKey()
    .references(() => staffAccounts.id, { onDelete: 'cascade' }),
  /** Of the next message; a repeat of it has the same. */
  id: uuid('id').notNull().defaultRandom(),
  /** The time zone of its days, and of eight o'clock. */
  zone: text('zone').notNull(),
  /** A Monday at eight, or an hour after an attempt. */
  nextAttemptAt: instant('next_attempt_at').notNull(),
});

/** Scripts' API tokens, shown once and stored as SHA-256 only: they are long and random, so no slow hash is needed. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: bigNumber('id').primaryKey().generatedByDefaultAsIdentity(),
    name: text('name').notNull(),
    /** Its first characters, so that people can recognize it. */
    prefix: text('prefix').notNull(),
    tokenSha256: text('token_sha256').notNull().unique(),
    scopes: text('scopes', { enum: tokenScopes }).array().notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Written at most once a minute. */
    lastUsedAt: instant('last_used_at'),
    revokedAt: instant('revoked_at'),
  },
  (table) => [
    check('api_tokens_name_check', sql`length(btrim(${table.name})) between 1 and 100`),
    check('api_tokens_token_sha256_check', sql`${table.tokenSha256} ~ '^[0-9a-f]{64}$'`),
    check('api_tokens_scopes_check', sql`cardinality(${table.scopes}) > 0`),
  ],
);

export type ApiTokenRow = typeof apiTokens.$inferSelect;

/**
 * What ends access: a token revoked; an account removed, its password or second factor replaced or removed, its role
 * changed, its single sign-on unlinked; a webhook endpoint removed, switched off or changed; a provider's address,
 * domain, status or CRM key changed.
 */
export const accessChangeKinds = [
  'token-revoked',
  'account-removed',
  'password-changed',
  'role-changed',
  'second-factor-removed',
  'identity-removed',
  'endpoint-removed',
  'endpoint-changed',
  'provider-changed',
] as const;

/**
 * Ends of access that a restored backup must repeat. Noted beside the erasure ledger (features/ledger/noteLedger.ts).
 */
export const accessChanges = pgTable(
  'access_changes',
  {
    /** The same in every copy of the database and in the notes. */
    id: uuid('id').primaryKey().defaultRandom(),
    kind: text('kind', { enum: accessChangeKinds }).notNull(),
    /** Of `api_tokens`, `staff_accounts` or `providers`; 0 of an endpoint, and of many providers. */
    targetId: bigNumber('target_id').notNull(),
    endpointId: uuid('endpoint_id'),
    /** The account's role since. */
    role: text('role', { enum: staffRoles }),
    at: instant('at').notNull().defaultNow(),
    /** When the notes had it. */
    notedAt: instant('noted_at'),
  },
  (table) => [
    checkValues('access_changes_kind_check', table.kind, accessChangeKinds),
    index('access_changes_unnoted_idx')
      .on(table.at)
      .where(sql`${table.notedAt} is null`),
  ],
);

export type AccessChangeRow = typeof accessChanges.$inferSelect;

/**
 * `identity`: keyed hashes of email addresses and phone numbers. `consent-seal`: the HMAC of each seal.
 * `erasure-ledger`: the HMAC of each entry of the erasure ledger.
 */
export const dataKeyPurposes = ['identity', 'consent-seal', 'erasure-ledger'] as const;
export type DataKeyPurpose = (typeof dataKeyPurposes)[number];

/**
 * Random keys, sealed under SECRET_KEYS. A rotation reseals them, so their hashes stay valid (security/dataKeys.ts).
 */
export const dataKeys = pgTable(
  'data_keys',
  {
    /** Purpose and number, such as `identity-1`. */
    id: text('id').primaryKey(),
    purpose: text('purpose', { enum: dataKeyPurposes }).notNull(),
    sealedKey: text('sealed_key').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [checkValues('data_keys_purpose_check', table.purpose, dataKeyPurposes)],
);

/**
 * Counters with an end (`security/sharedLimiter.ts`), shared by all processes. Keys are keyed hashes of an
 * address, a phone number or a token, never these. The migration makes the table unlogged, which drizzle can't express.
 */
export const rateLimits = pgTable('rate_limits', {
  key: text('key').primaryKey(),
  points: integer('points').notNull().default(0),
  expire: instant('expire'),
});
