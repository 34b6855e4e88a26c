import { sql } from 'drizzle-orm';
import { bigint, check, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { inet, instant } from '../../columns.ts';

/**
 * Who did what, when, from where. Append-only: triggers refuse UPDATE, TRUNCATE, and DELETE except by
 * `npm run retention:prune` (sql/retention.sql). No foreign keys: the log
 * outlives accounts, tokens and leads, and stores the actor's name as of the action. `detail` never contains contact
 * details.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: instant('at').notNull().defaultNow(),
    actorKind: text('actor_kind', { enum: ['staff', 'token', 'command', 'visitor'] }).notNull(),
    actorName: text('actor_name').notNull(),
    accountId: bigint('account_id', { mode: 'number' }),
    tokenId: bigint('token_id', { mode: 'number' }),
    ip: inet('ip'),
    action: text('action').notNull(),
    subjectKind: text('subject_kind'),
    subjectId: text('subject_id'),
    detail: jsonb('detail').$type<object>(),
  },
  (table) => [
    check('audit_log_actor_kind_check', sql`${table.actorKind} in ('staff', 'token', 'command', 'visitor')`),
    check('audit_log_subject_check', sql`(${table.subjectKind} is null) = (${table.subjectId} is null)`),
    index('audit_log_at_idx').on(table.at),
    index('audit_log_action_idx').on(table.action, table.id),
    index('audit_log_actor_idx').on(table.actorName, table.id),
    index('audit_log_subject_idx').on(table.subjectKind, table.subjectId, table.id),
  ],
);

export type AuditLogInsert = typeof auditLog.$inferInsert;
export type AuditLogRow = typeof auditLog.$inferSelect;
