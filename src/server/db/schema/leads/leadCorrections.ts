import { sql } from 'drizzle-orm';
import { bigint, check, index, pgTable, text } from 'drizzle-orm/pg-core';
import { correctableFields } from '#shared/leads/correction.ts';
import { instant } from '../../columns.ts';
import { leads } from './leads.ts';

/**
 * What staff corrected of a lead: the value that it had before, for its history. Apart from the audit log, which must
 * not contain contact details; the evidence keeps what the person typed. Erased and purged with the lead.
 */
export const leadCorrections = pgTable(
  'lead_corrections',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    leadId: bigint('lead_id', { mode: 'number' })
      .notNull()
      .references(() => leads.id, { onDelete: 'cascade' }),
    at: instant('at').notNull(),
    /** A staff member's or token's name. */
    by: text('by').notNull(),
    field: text('field', { enum: correctableFields }).notNull(),
    /** As typed. */
    before: text('before').notNull(),
  },
  (table) => [
    check('lead_corrections_field_check', sql`${table.field} in ('zip_code', 'phone', 'email')`),
    index('lead_corrections_lead_idx').on(table.leadId, table.id),
  ],
);

export type LeadCorrectionRow = typeof leadCorrections.$inferSelect;
