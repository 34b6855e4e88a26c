import { sql } from 'drizzle-orm';
import { bigint, check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { staffRoles } from '#shared/admin/staff.ts';
import { instant } from '../../columns.ts';

/**
 * What ends somebody's access: a token was revoked, an account removed, an account's password replaced, its role
 * changed; a webhook endpoint removed, switched off or changed; a provider's address, domain, status or CRM key
 * changed.
 */
export const accessChangeKinds = [
  'token-revoked',
  'account-removed',
  'password-changed',
  'role-changed',
  'endpoint-removed',
  'endpoint-changed',
  'provider-changed',
] as const;

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
    /** Of `api_tokens`, `staff_accounts` or `providers`; 0 of an endpoint, and of many providers. */
    targetId: bigint('target_id', { mode: 'number' }).notNull(),
    endpointId: uuid('endpoint_id'),
    /** The account's role since. */
    role: text('role', { enum: staffRoles }),
    at: instant('at').notNull().defaultNow(),
    /** When the notes had it. */
    notedAt: instant('noted_at'),
  },
  (table) => [
    check(
      'access_changes_kind_check',
      sql`${table.kind} in ('token-revoked', 'account-removed', 'password-changed', 'role-changed', 'endpoint-removed', 'endpoint-changed', 'provider-changed')`,
    ),
    index('access_changes_unnoted_idx')
      .on(table.at)
      .where(sql`${table.notedAt} is null`),
  ],
);

export type AccessChangeRow = typeof accessChanges.$inferSelect;
