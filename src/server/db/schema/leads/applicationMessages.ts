import { sql } from 'drizzle-orm';
import { bigint, check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { applicationMessageStates } from '#shared/applications/adminApplications.ts';
import { instant } from '../../columns.ts';
import { providerApplications } from './providerApplications.ts';

/**
 * The two messages that an application causes: a receipt to the applicant and a notice to staff. Written in the
 * transaction of the application; a worker sends them (features/applications). Quarantined applications have none.
 */
export const applicationMessages = pgTable(
  'application_messages',
  {
    /** Names a receipt's email, so that a repeat is recognized. */
    id: uuid('id').primaryKey().defaultRandom(),
    applicationId: bigint('application_id', { mode: 'number' })
      .notNull()
      .references(() => providerApplications.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: ['receipt', 'notice'] }).notNull(),
    state: text('state', { enum: applicationMessageStates }).notNull().default('waiting'),
    /** Why it was withheld or refused, or what the last attempt said: a sentence without contact details. */
    reason: text('reason'),
    createdAt: instant('created_at').notNull().defaultNow(),
    nextAttemptAt: instant('next_attempt_at').notNull().defaultNow(),
    /** When the last attempt began. */
    attemptedAt: instant('attempted_at'),
    /** When it was sent, withheld or refused; null while it waits. */
    endedAt: instant('ended_at'),
    /** Of a notice: names the email that lists its application. Null until an attempt, and after a refused one. */
    batch: uuid('batch'),
  },
  (table) => [
    check('application_messages_kind_check', sql`${table.kind} in ('receipt', 'notice')`),
    check(
      'application_messages_state_check',
      sql`${table.state} in ('waiting', 'sent', 'withheld', 'refused')`,
    ),
    check('application_messages_ended_check', sql`(${table.state} = 'waiting') = (${table.endedAt} is null)`),
    uniqueIndex('application_messages_application_idx').on(table.applicationId, table.kind),
    index('application_messages_due_idx')
      .on(table.kind, table.nextAttemptAt)
      .where(sql`${table.state} = 'waiting'`),
    index('application_messages_attempted_idx').on(table.kind, table.attemptedAt),
  ],
);

export type ApplicationMessageInsert = typeof applicationMessages.$inferInsert;
