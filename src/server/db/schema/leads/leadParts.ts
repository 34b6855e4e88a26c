import { check, index, pgTable, primaryKey, text, jsonb, uuid, integer, date } from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';
import { bigNumber, checkValues, instant } from '../../columns.ts';
import { leads, ofLead } from './leads.ts';
import { providers } from '../providers/providers.ts';
import { correctableFields } from '#shared/leads/correction.ts';
import { formSteps as steps, pageFormKeys } from '#shared/leads/leadForms.ts';

/** Where a lead came from: at most one first and last touch each. Click ids and campaign names, no contact data. */
export const leadAttribution = pgTable(
  'lead_attribution',
  {
    leadId: ofLead(),
    touch: text('touch', { enum: ['first', 'last'] }).notNull(),
    utmSource: text('utm_source'),
    utmMedium: text('utm_medium'),
    utmCampaign: text('utm_campaign'),
    utmTerm: text('utm_term'),
    utmContent: text('utm_content'),
    gclid: text('gclid'),
    gbraid: text('gbraid'),
    wbraid: text('wbraid'),
    msclkid: text('msclkid'),
    landingPath: text('landing_path'),
    referrerHost: text('referrer_host'),
    touchedAt: instant('touched_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.leadId, table.touch] }),
    checkValues('lead_attribution_touch_check', table.touch, ['first', 'last']),
    index('lead_attribution_campaign_idx')
      .on(table.utmSource, table.utmCampaign)
      .where(sql`${table.utmSource} is not null`),
  ],
);

/**
 * What staff corrected of a lead: the value that it had before, for its history. Apart from the audit log, which must
 * not contain contact details; the evidence keeps what the person typed. Erased and purged with the lead.
 */
export const leadCorrections = pgTable(
  'lead_corrections',
  {
    id: bigNumber('id').primaryKey().generatedAlwaysAsIdentity(),
    leadId: ofLead(),
    at: instant('at').notNull(),
    /** A staff member's or token's name. */
    by: text('by').notNull(),
    field: text('field', { enum: correctableFields }).notNull(),
    /** As typed. */
    before: text('before').notNull(),
  },
  (table) => [
    checkValues('lead_corrections_field_check', table.field, correctableFields),
    index('lead_corrections_lead_idx').on(table.leadId, table.id),
  ],
);

export type LeadCorrectionRow = typeof leadCorrections.$inferSelect;

/** What staff noted about a lead. Rows are only added, except that their author may undo one for a moment. */
export const leadNotes = pgTable(
  'lead_notes',
  {
    id: bigNumber('id').primaryKey().generatedAlwaysAsIdentity(),
    leadId: ofLead(),
    at: instant('at').notNull(),
    /** A staff member's or token's name. */
    by: text('by').notNull(),
    text: text('text').notNull(),
  },
  (table) => [
    check('lead_notes_text_check', sql`length(${table.text}) between 1 and 2000`),
    index('lead_notes_lead_idx').on(table.leadId, table.id),
  ],
);

/**
 * Reminders that staff sent to a lead's provider. A row exists before its email is sent, so that two requests don't
 * send two, and is deleted if it wasn't accepted.
 */
export const leadReminders = pgTable(
  'lead_reminders',
  {
    /** Names its email. */
    id: uuid('id').primaryKey().defaultRandom(),
    leadId: ofLead(),
    providerId: bigNumber('provider_id')
      .notNull()
      .references(() => providers.id, { onDelete: 'restrict' }),
    at: instant('at').notNull(),
    by: text('by').notNull(),
  },
  (table) => [index('lead_reminders_lead_idx').on(table.leadId, table.at)],
);

/** Leads over their network's rate limit (`over-limit`), stored until the window allows their release. */
export const overLimitLeads = pgTable(
  'over_limit_leads',
  {
    leadId: bigNumber('lead_id')
      .primaryKey()
      .references(() => leads.id, { onDelete: 'cascade' }),
    /** When the window may allow it; postponed if it doesn't. */
    releaseAt: instant('release_at').notNull(),
  },
  (table) => [index('over_limit_leads_release_idx').on(table.releaseAt)],
);

/**
 * What Undo needs to take back the latest assignment of a lead by staff. Written in the transaction of the assignment,
 * and of no use after `undo_until`, when its deliveries leave (features/leads/changes/undoAssignments.ts).
 */
export const assignmentUndos = pgTable(
  'assignment_undos',
  {
    leadId: bigNumber('lead_id')
      .primaryKey()
      .references(() => leads.id, { onDelete: 'cascade' }),
    /** Who assigned it, and may undo it. Null: the shared password. */
    accountId: bigNumber('account_id'),
    assignedAt: instant('assigned_at').notNull(),
    undoUntil: instant('undo_until').notNull(),
    /** The assigned provider and the reason: while the lead has both, nobody moved it again. Null: taken away. */
    providerId: bigNumber('provider_id'),
    matchReason: text('match_reason').notNull(),
    /** The columns of the lead that the assignment changed. */
    before: jsonb('before').notNull(),
    /** The deliveries that it caused. */
    created: uuid('created').array().notNull(),
    /** The events that it caused. */
    events: uuid('events').array().notNull(),
    /** The lead's other unfinished and failed deliveries before it, as rows of `deliveries`. */
    moved: jsonb('moved').notNull(),
  },
  (table) => [index('assignment_undos_until_idx').on(table.undoUntil)],
);

export type AssignmentUndoRow = typeof assignmentUndos.$inferSelect;

/**
 * Requests to match unmatched leads again, after a provider was added, activated, moved or got another radius, or a
 * lead was released or restored. Inserted in the same transaction, so that none is lost; the worker deletes them.
 */
export const rematchRequests = pgTable('rematch_requests', {
  id: bigNumber('id').primaryKey().generatedAlwaysAsIdentity(),
  at: instant('at').notNull().defaultNow(),
});

/**
 * The answer to the first submission of each key. It is inserted in the transaction that stores the submission, so a
 * second one with the same key waits for that transaction and then reads its answer.
 */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    key: text('key').primaryKey(),
    requestSha256: text('request_sha256').notNull(),
    status: integer('status').notNull(),
    body: jsonb('body').notNull(),
    /** No reference: the key is claimed before its lead is inserted. */
    leadId: bigNumber('lead_id'),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    check('idempotency_keys_key_check', sql`length(${table.key}) between 1 and 320`),
    index('idempotency_keys_expires_idx').on(table.expiresAt),
    index('idempotency_keys_lead_idx').on(table.leadId),
  ],
);

/** How often each step of a lead form was reached, by UTC day. At most a dozen rows a day, with no data of a visitor. */
export const formSteps = pgTable(
  'form_steps',
  {
    day: date('day').notNull(),
    form: text('form', { enum: pageFormKeys }).notNull(),
    step: text('step', { enum: steps }).notNull(),
    count: bigNumber('count').notNull(),
  },
  (table) => [
    primaryKey({ name: 'form_steps_pkey', columns: [table.day, table.form, table.step] }),
    checkValues('form_steps_form_check', table.form, pageFormKeys),
    checkValues('form_steps_step_check', table.step, steps),
    check('form_steps_count_check', sql`${table.count} > 0`),
  ],
);

/**
 * How often a lead form was started, by UTC day, form, first page of the visit and campaign
 * (features/formSteps/firstPage.ts). Counts only: no data of a visitor.
 */
export const formStarts = pgTable(
  'form_starts',
  {
    day: date('day').notNull(),
    form: text('form', { enum: pageFormKeys }).notNull(),
    page: text('page').notNull(),
    /** Empty: none. */
    campaign: text('campaign').notNull(),
    count: bigNumber('count').notNull(),
  },
  (table) => [
    primaryKey({ name: 'form_starts_pkey', columns: [table.day, table.form, table.page, table.campaign] }),
    checkValues('form_starts_form_check', table.form, pageFormKeys),
    check('form_starts_page_check', sql`length(${table.page}) between 1 and 100`),
    check('form_starts_campaign_check', sql`length(${table.campaign}) <= 200`),
    check('form_starts_count_check', sql`${table.count} > 0`),
  ],
);

/** Rows that may have contact details in the normal form of an earlier version. */
export const upgradedTables = ['leads', 'consent_records'] as const;

/**
 * The names of progress: the tables, as 1.0.1 counts it, and since 1.0.2, which also stores the hashes of mailboxes, the
 * tables with the version. So a process of 1.0.1 beside it skips no row.
 */
export const upgradeNames = ['leads', 'consent_records', 'leads-2', 'consent_records-2'] as const;

/** How far the rows of a table were compared with the current normal form (features/erasure/upgradeForms.ts). */
export const normalFormUpgrades = pgTable(
  'normal_form_upgrades',
  {
    tableName: text('table_name', { enum: upgradeNames }).primaryKey(),
    lastId: bigNumber('last_id').notNull().default(0),
  },
  (table) => [checkValues('normal_form_upgrades_table_name_check', table.tableName, upgradeNames)],
);
