import { sql } from 'drizzle-orm';
import { bigint, check, index, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../../columns.ts';
import { reportColumns } from './leadOutcomes.ts';

/**
 * Presses on the pages behind a provider's links: those of the last minute, among which two different ones record
 * nothing, and returns that haven't taken effect yet. Older ones are deleted.
 */
export const outcomeChoices = pgTable(
  'outcome_choices',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
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
