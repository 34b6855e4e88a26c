import { sql } from 'drizzle-orm';
import { bigint, check, pgTable, text } from 'drizzle-orm/pg-core';
import { tokenScopes } from '#shared/admin/staff.ts';
import { instant } from '../../columns.ts';

/**
 * API tokens of scripts. A token is shown once and stored as its SHA-256 only; it is long and random, so no slow hash
 * is needed.
 */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
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
