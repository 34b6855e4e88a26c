import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { quarantineReasons } from '#shared/leads/quarantine.ts';
import { bigNumber, checkValues, inet, instant } from '../../columns.ts';
import { applicationMessageStates } from '#shared/applications/adminApplications.ts';
import { providers } from '../providers/providers.ts';

/** Applications of practices that want to offer the protocol. Quarantined rows are stored and listed separately. */
export const providerApplications = pgTable(
  'provider_applications',
  {
    id: bigNumber('id').primaryKey().generatedByDefaultAsIdentity(),
    practiceName: text('practice_name').notNull(),
    contactName: text('contact_name').notNull(),
    role: text('role').notNull(),
    email: text('email').notNull(),
    phone: text('phone').notNull(),
    phoneE164: text('phone_e164').notNull(),
    zipCode: text('zip_code').notNull(),
    website: text('website'),
    message: text('message'),
    /** The consent text as agreed to; empty if a script did not send it. */
    consentText: text('consent_text').notNull(),
    /** Version of the registered consent text; null if another text was shown. */
    consentVersion: integer('consent_version'),
    status: text('status', { enum: ['new', 'contacted', 'accepted', 'declined'] })
      .notNull()
      .default('new'),
    createdAt: instant('created_at').notNull().defaultNow(),
    ip: inet('ip'),
    host: text('host').notNull(),
    /** The idempotency key. The application outlives that table's row. */
    idempotencyKey: text('idempotency_key').notNull(),
    quarantinedAt: instant('quarantined_at'),
    quarantineReason: text('quarantine_reason', {
      enum: quarantineReasons,
    }),
    /** As in `leads`. */
    filledHoneypot: boolean('filled_honeypot'),
    /** The provider that its approval created. */
    providerId: bigNumber('provider_id').references(() => providers.id, { onDelete: 'set null' }),
  },
  (table) => [
    checkValues('provider_applications_status_check', table.status, [
      'new',
      'contacted',
      'accepted',
      'declined',
    ]),
    check(
      'provider_applications_quarantine_check',
      sql`(${table.quarantinedAt} is null) = (${table.quarantineReason} is null)`,
    ),
    check('provider_applications_zip_code_check', sql`${table.zipCode} ~ '^[0-9]{5}$'`),
    check('provider_applications_phone_e164_check', sql`${table.phoneE164} ~ '^\\+[0-9]{10,15}$'`),
    index('provider_applications_created_idx').on(table.createdAt.desc(), table.id.desc()),
  ],
);

export type ProviderApplicationInsert = typeof providerApplications.$inferInsert;

const messageKinds = ['receipt', 'notice', 'confirm', 'decline'] as const;

/**
 * The messages about an application: a receipt to the applicant and a notice to staff when it arrives (quarantined ones
 * have none), then staff's answer: a link that confirms the new provider's address, or that it was declined. Written in
 * the transaction of what causes them; a worker sends them (features/applications).
 */
export const applicationMessages = pgTable(
  'application_messages',
  {
    /** Names a receipt's email, so that a repeat is recognized. */
    id: uuid('id').primaryKey().defaultRandom(),
    applicationId: bigNumber('application_id')
      .notNull()
      .references(() => providerApplications.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: messageKinds }).notNull(),
    state: text('state', { enum: applicationMessageStates }).notNull().default('waiting'),
    /** Why it was withheld or refused, or what the last attempt said: a sentence without contact details. */
    reason: text('reason'),
    createdAt: instant('created_at').notNull().defaultNow(),
    nextAttemptAt: instant('next_attempt_at').notNull().defaultNow(),
    attemptedAt: instant('attempted_at'),
    /** When it was sent, withheld or refused; null while it waits. */
    endedAt: instant('ended_at'),
    /** Of a notice: names the email that lists its application. Null until an attempt, and after a refused one. */
    batch: uuid('batch'),
  },
  (table) => [
    checkValues('application_messages_kind_check', table.kind, messageKinds),
    checkValues('application_messages_state_check', table.state, applicationMessageStates),
    check('application_messages_ended_check', sql`(${table.state} = 'waiting') = (${table.endedAt} is null)`),
    uniqueIndex('application_messages_application_idx').on(table.applicationId, table.kind),
    index('application_messages_due_idx')
      .on(table.kind, table.nextAttemptAt)
      .where(sql`${table.state} = 'waiting'`),
    index('application_messages_attempted_idx').on(table.kind, table.attemptedAt),
  ],
);

export type ApplicationMessageInsert = typeof applicationMessages.$inferInsert;

/**
 * How many people near a ZIP area asked, for prospective providers: rounded, 0 for few, and kept for a week
 * (features/applications/areaPeople.ts).
 */
export const areaPeople = pgTable(
  'area_people',
  {
    /** The first three digits of ZIP codes. */
    zip3: text('zip3').primaryKey(),
    people: integer('people').notNull(),
    countedAt: instant('counted_at').notNull(),
  },
  (table) => [
    check('area_people_zip3_check', sql`${table.zip3} ~ '^[0-9]{3}$'`),
    check('area_people_people_check', sql`${table.people} >= 0`),
  ],
);
