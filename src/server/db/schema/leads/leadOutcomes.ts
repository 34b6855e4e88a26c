import { sql } from 'drizzle-orm';
import { check, index, pgTable, text } from 'drizzle-orm/pg-core';
import { leadOutcomes as outcomes } from '#shared/leads/leadOutcomes.ts';
import { bigNumber, checkValues, instant } from '../../columns.ts';
import { ofLead } from './leads.ts';
import { providers } from '../providers/providers.ts';

/** Who reported what about which lead. */
export function reportColumns() {
  return {
    leadId: ofLead(),
    providerId: bigNumber('provider_id')
      .notNull()
      .references(() => providers.id, { onDelete: 'restrict' }),
    outcome: text('outcome', { enum: outcomes }).notNull(),
  };
}

/**
 * Outcomes that providers reported; the latest counts. A provider that reported 'wrong-area' never gets the lead again.
 */
export const leadOutcomes = pgTable(
  'lead_outcomes',
  {
    id: bigNumber('id').primaryKey().generatedAlwaysAsIdentity(),
    ...reportColumns(),
    /** 'Clinic' for the link in its email, else a staff member's or token's name. */
    by: text('by').notNull(),
    at: instant('at').notNull().defaultNow(),
  },
  (table) => [
    checkValues('lead_outcomes_outcome_check', table.outcome, outcomes),
    index('lead_outcomes_lead_idx').on(table.leadId, table.id.desc()),
    index('lead_outcomes_at_idx').on(table.at),
    // The migration adds `include (provider_id)`, which drizzle can't express: times to first contact are read from the
    // index only.
    index('lead_outcomes_contact_idx')
      .on(table.leadId, table.at)
      .where(sql`${table.outcome} in ('reached', 'booked')`),
  ],
);

/**
 * Presses on the pages behind a provider's links: those of the last minute, among which two different ones record
 * nothing, and returns that haven't taken effect yet. Older ones are deleted.
 */
export const outcomeChoices = pgTable(
  'outcome_choices',
  {
    id: bigNumber('id').primaryKey().generatedAlwaysAsIdentity(),
    ...reportColumns(),
    at: instant('at').notNull(),
    /** The address of the request, for the audit entry of a return. */
    ip: text('ip').notNull(),
    /** When a return takes effect. Null for another outcome, and for a return that took effect or was replaced. */
    takesEffectAt: instant('takes_effect_at'),
  },
  (table) => [
    check(
      'outcome_choices_takes_effect_at_check',
      sql`${table.takesEffectAt} is null or ${table.outcome} = 'wrong-area'`,
    ),
    index('outcome_choices_lead_idx').on(table.leadId),
    index('outcome_choices_due_idx')
      .on(table.takesEffectAt)
      .where(sql`${table.takesEffectAt} is not null`),
    index('outcome_choices_at_idx').on(table.at),
  ],
);
