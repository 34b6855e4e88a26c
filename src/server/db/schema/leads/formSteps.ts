import { sql } from 'drizzle-orm';
import { bigint, check, date, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { formSteps as steps } from '#shared/leads/formSteps.ts';
import { pageFormKeys } from '#shared/leads/leads.ts';

/** How often each step of a lead form was reached, by UTC day. At most a dozen rows a day, with no data of a visitor. */
export const formSteps = pgTable(
  'form_steps',
  {
    day: date('day').notNull(),
    form: text('form', { enum: pageFormKeys }).notNull(),
    step: text('step', { enum: steps }).notNull(),
    count: bigint('count', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ name: 'form_steps_pkey', columns: [table.day, table.form, table.step] }),
    check('form_steps_form_check', sql`${table.form} in ('landing', 'microsite', 'quiz', 'find')`),
    check('form_steps_step_check', sql`${table.step} in ('started', 'zip', 'sent')`),
    check('form_steps_count_check', sql`${table.count} > 0`),
  ],
);
