import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { quarantineReasons } from '#shared/leads/quarantine.ts';
import { inet, instant } from '../../columns.ts';

/**
 * Applications of practices that want to offer the protocol, for staff to answer. Quarantined rows are stored and
 * listed separately.
 */
export const providerApplications = pgTable(
  'provider_applications',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
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
  },
  (table) => [
    check(
      'provider_applications_status_check',
      sql`${table.status} in ('new', 'contacted', 'accepted', 'declined')`,
    ),
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
