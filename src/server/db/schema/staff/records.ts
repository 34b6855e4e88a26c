import { sql } from 'drizzle-orm';
import { index, pgTable, primaryKey, text, check, jsonb, uniqueIndex } from 'drizzle-orm/pg-core';
import { bigNumber, checkValues, inet, instant } from '../../columns.ts';
import { quarantineReasons } from '#shared/leads/quarantine.ts';
import { staffTaskKinds } from '#shared/admin/adminLeads.ts';
import { ofLead } from '../leads/leads.ts';

/** Faults, not about one lead, that staff must know of. Rows are deleted when the fault ends or staff dismiss it. */
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

/**
 * Who did what, when, from where. Append-only: triggers refuse UPDATE, TRUNCATE, and DELETE except by `npm run
 * retention:prune` (sql/retention.sql). No foreign keys: it outlives accounts, tokens and leads, and keeps the actor's
 * name as of the action. `detail` never contains contact details.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigNumber('id').primaryKey().generatedAlwaysAsIdentity(),
    at: instant('at').notNull().defaultNow(),
    actorKind: text('actor_kind', { enum: ['staff', 'token', 'command', 'visitor'] }).notNull(),
    actorName: text('actor_name').notNull(),
    accountId: bigNumber('account_id'),
    tokenId: bigNumber('token_id'),
    ip: inet('ip'),
    action: text('action').notNull(),
    subjectKind: text('subject_kind'),
    subjectId: text('subject_id'),
    detail: jsonb('detail').$type<object>(),
  },
  (table) => [
    checkValues('audit_log_actor_kind_check', table.actorKind, ['staff', 'token', 'command', 'visitor']),
    check('audit_log_subject_check', sql`(${table.subjectKind} is null) = (${table.subjectId} is null)`),
    index('audit_log_at_idx').on(table.at),
    index('audit_log_action_idx').on(table.action, table.id),
    index('audit_log_actor_idx').on(table.actorName, table.id),
    index('audit_log_subject_idx').on(table.subjectKind, table.subjectId, table.id),
  ],
);

export type AuditLogInsert = typeof auditLog.$inferInsert;
export type AuditLogRow = typeof auditLog.$inferSelect;

/**
 * That an owner answers for a claim of the brand that names no proof or no approval, as it read then: a changed text
 * needs another row. Append-only (sql/appendOnly.sql). No foreign key: a row outlives its account.
 */
export const claimAcceptances = pgTable(
  'claim_acceptances',
  {
    /** Of `shared/brand/claims.ts`. */
    claimId: text('claim_id').notNull(),
    textSha256: text('text_sha256').notNull(),
    claimText: text('claim_text').notNull(),
    acceptedBy: text('accepted_by').notNull(),
    /** Null: the owner had no account. */
    accountId: bigNumber('account_id'),
    reason: text('reason').notNull(),
    acceptedAt: instant('accepted_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.claimId, table.textSha256] })],
);

export type ClaimAcceptanceRow = typeof claimAcceptances.$inferSelect;

/**
 * The claims of the brand that owners hide on every page. A trigger notifies every process
 * (sql/providerNotifications.sql).
 */
export const hiddenClaims = pgTable('hidden_claims', {
  /** Of `shared/brand/claims.ts`. */
  claimId: text('claim_id').primaryKey(),
  hiddenAt: instant('hidden_at').notNull().defaultNow(),
  hiddenBy: text('hidden_by').notNull(),
});

/**
 * Problems that visitors report, about a claim or in general. What they typed stays here: no message, log or alert has
 * it. Quarantined ones raise no alert.
 */
export const problemReports = pgTable(
  'problem_reports',
  {
    id: bigNumber('id').primaryKey().generatedByDefaultAsIdentity(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Of `shared/brand/claims.ts`; null: none of them. */
    claimId: text('claim_id'),
    what: text('what').notNull(),
    contact: text('contact'),
    host: text('host').notNull(),
    ip: inet('ip'),
    quarantineReason: text('quarantine_reason', { enum: quarantineReasons }),
    doneAt: instant('done_at'),
    /** A staff member's name. */
    doneBy: text('done_by'),
  },
  (table) => [
    check('problem_reports_done_check', sql`(${table.doneAt} is null) = (${table.doneBy} is null)`),
    index('problem_reports_open_idx')
      .on(table.createdAt)
      .where(sql`${table.doneAt} is null`),
    index('problem_reports_done_idx')
      .on(table.doneAt)
      .where(sql`${table.doneAt} is not null`),
  ],
);

export type ProblemReportInsert = typeof problemReports.$inferInsert;
export type ProblemReportRow = typeof problemReports.$inferSelect;

/**
 * Decisions that only staff can make about a lead. `phone-withdrawn`: somebody else with the same phone number withdrew
 * consent. `reply-received`: an email about the lead arrived that proves no withdrawal. `not-reached`: its provider's email
 * didn't arrive. `message-refused`: the provider's mail server refused this message. `number-suppressed`: the person typed a
 * further number that nobody may call. `mailbox-withdrawn`: somebody withdrew under another spelling of the lead's email
 * address, and nothing is delivered until staff decide.
 */
export const staffTasks = pgTable(
  'staff_tasks',
  {
    id: bigNumber('id').primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind', { enum: staffTaskKinds }).notNull(),
    leadId: ofLead(),
    createdAt: instant('created_at').notNull().defaultNow(),
    doneAt: instant('done_at'),
    /** A staff member's or token's name. */
    doneBy: text('done_by'),
  },
  (table) => [
    checkValues('staff_tasks_kind_check', table.kind, staffTaskKinds),
    check('staff_tasks_done_check', sql`(${table.doneAt} is null) = (${table.doneBy} is null)`),
    uniqueIndex('staff_tasks_open_key')
      .on(table.kind, table.leadId)
      .where(sql`${table.doneAt} is null`),
    index('staff_tasks_lead_idx').on(table.leadId),
  ],
);

export type StaffTaskRow = typeof staffTasks.$inferSelect;
