import { sql } from 'drizzle-orm';
import { bigint, check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { staffTaskKinds } from '#shared/admin/adminLeads.ts';
import { instant } from '../../columns.ts';
import { leads } from '../leads/leads.ts';

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
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind', { enum: staffTaskKinds }).notNull(),
    leadId: bigint('lead_id', { mode: 'number' })
      .notNull()
      .references(() => leads.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull().defaultNow(),
    doneAt: instant('done_at'),
    /** A staff member's or token's name. */
    doneBy: text('done_by'),
  },
  (table) => [
    check(
      'staff_tasks_kind_check',
      sql`${table.kind} in ('phone-withdrawn', 'reply-received', 'not-reached', 'message-refused', 'number-suppressed', 'crm-held', 'mailbox-withdrawn')`,
    ),
    check('staff_tasks_done_check', sql`(${table.doneAt} is null) = (${table.doneBy} is null)`),
    uniqueIndex('staff_tasks_open_key')
      .on(table.kind, table.leadId)
      .where(sql`${table.doneAt} is null`),
    index('staff_tasks_lead_idx').on(table.leadId),
  ],
);

export type StaffTaskRow = typeof staffTasks.$inferSelect;
