import {
  type AnyPgColumn,
  boolean,
  check,
  date,
  doublePrecision,
  index,
  jsonb,
  pgTable,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';
import type { Answer } from '#shared/leads/answers.ts';
import { leadOutcomes } from '#shared/leads/leadOutcomes.ts';
import { matchMethods, quarantineReasons } from '#shared/leads/quarantine.ts';
import { bigNumber, checkValues, inet, instant } from '../../columns.ts';
import { providers } from '../providers/providers.ts';

/**
 * Visitors' requests. `features/leads/leadStates.ts` derives states from `quarantined_at`, `deleted_at`, `erased_at`.
 */
export const leads = pgTable(
  'leads',
  {
    id: bigNumber('id').primaryKey().generatedByDefaultAsIdentity(),
    publicId: uuid('public_id').notNull().defaultRandom(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    email: text('email').notNull(),
    phone: text('phone').notNull(),
    zipCode: text('zip_code').notNull(),
    providerId: bigNumber('provider_id').references(() => providers.id, {
      onDelete: 'restrict',
    }),
    /** The provider on whose site the lead was sent, also after a move to another provider. Null: the main site. */
    siteProviderId: bigNumber('site_provider_id').references(() => providers.id, {
      onDelete: 'restrict',
    }),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** When the row last changed; null: not since it was stored. Every statement that updates leads sets it. */
    updatedAt: instant('updated_at'),
    crmSyncStatus: text('crm_sync_status', { enum: ['pending', 'success', 'failed'] }).default('pending'),
    acceptanceMessage: text('acceptance_message'),
    acceptanceConsent: boolean('acceptance_consent').notNull().default(false),
    acceptanceIp: inet('acceptance_ip'),
    emailNorm: text('email_norm').notNull(),
    phoneE164: text('phone_e164').notNull(),
    /** `email_norm` and `phone_e164` as 1.0.0 made them (features/identity/normalForms.ts). Null: the same. */
    firstEmailNorm: text('first_email_norm'),
    firstPhoneE164: text('first_phone_e164'),
    zip5: text('zip5'),
    matchMethod: text('match_method', { enum: matchMethods }).notNull(),
    matchReason: text('match_reason').notNull(),
    matchDistanceMiles: doublePrecision('match_distance_miles'),
    duplicateOf: bigNumber('duplicate_of').references((): AnyPgColumn => leads.id, {
      onDelete: 'set null',
    }),
    quarantinedAt: instant('quarantined_at'),
    quarantineReason: text('quarantine_reason', {
      enum: quarantineReasons,
    }),
    /** True: the form's honeypot was filled in, perhaps by a password manager. Null: it wasn't. */
    filledHoneypot: boolean('filled_honeypot'),
    /** Answers to the brand's questions, in the words of the form that asked them. Null: none. */
    answers: jsonb('answers').$type<readonly Answer[]>(),
    /**
     * The latest outcome of the lead's provider, or of its last one. An Undo keeps what was reported in its seconds.
     */
    outcome: text('outcome', { enum: leadOutcomes }),
    /** The day on which staff want to look at it again; null: none. */
    followUpOn: date('follow_up_on', { mode: 'string' }),
    /** Whether a delivery failed for good and no later one of its channel exists (`features/outbox/leadStatus.ts`). */
    deliveryFailed: boolean('delivery_failed').notNull().default(false),
    /** Whether its provider doesn't get it: the newest email about it to a provider failed, or is held by a refusal. */
    clinicNotReached: boolean('clinic_not_reached').notNull().default(false),
    deletedAt: instant('deleted_at'),
    /** When its person was erased. The row is a tombstone for counts: it is deleted and never purged. */
    erasedAt: instant('erased_at'),
    /**
     * The text that staff search: names, email, the phone's digits, ZIP and number, in lower case, each between spaces.
     */
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(
        sql`' ' || lower(first_name) || ' ' || lower(last_name) || ' ' || lower(email) || ' ' || ltrim(phone_e164, '+') || ' ' || lower(zip_code) || ' ' || id::text || ' '`,
      ),
  },
  (table) => [
    checkValues('leads_crm_sync_status_check', table.crmSyncStatus, ['pending', 'success', 'failed']),
    checkValues('leads_match_method_check', table.matchMethod, matchMethods),
    check('leads_match_provider_check', sql`(${table.matchMethod} = 'none') = (${table.providerId} is null)`),
    check(
      'leads_quarantine_check',
      sql`(${table.quarantinedAt} is null) = (${table.quarantineReason} is null)`,
    ),
    check('leads_erased_check', sql`${table.erasedAt} is null or ${table.deletedAt} is not null`),
    check('leads_zip5_check', sql`${table.zip5} ~ '^[0-9]{5}$'`),
    check('leads_phone_e164_check', sql`${table.phoneE164} ~ '^\\+[0-9]{10,15}$'`),
    // Some indexes include more columns in the migration, which drizzle can't express. This one includes
    // site_provider_id, provider_id, crm_sync_status and quarantined_at: the insights of a year read only the index.
    index('leads_created_idx')
      .on(table.createdAt.desc(), table.id.desc())
      .where(sql`${table.deletedAt} is null`),
    index('leads_provider_idx')
      .on(table.providerId, table.createdAt.desc(), table.id.desc())
      .where(sql`${table.deletedAt} is null`),
    // Includes the columns of the other filters, so that combined filters are counted from the index.
    index('leads_status_idx')
      .on(table.crmSyncStatus, table.createdAt.desc(), table.id.desc())
      .where(sql`${table.deletedAt} is null`),
    // Includes the columns of the other filters.
    index('leads_outcome_idx')
      .on(table.outcome, table.createdAt.desc(), table.id.desc())
      .where(sql`${table.outcome} is not null and ${table.deletedAt} is null`),
    // Includes provider_id, crm_sync_status and duplicate_of. What a provider got and hasn't answered is looked up from it.
    index('leads_no_outcome_idx')
      .on(table.createdAt.desc(), table.id.desc())
      .where(
        sql`${table.outcome} is null and ${table.providerId} is not null and ${table.quarantinedAt} is null and ${table.deletedAt} is null`,
      ),
    index('leads_repeat_idx')
      .on(table.createdAt.desc(), table.id.desc())
      .where(sql`${table.duplicateOf} is not null and ${table.deletedAt} is null`),
    index('leads_last_name_idx')
      .on(sql`lower(${table.lastName}) collate "C"`, table.id)
      .where(sql`${table.deletedAt} is null`),
    index('leads_zip_code_idx')
      .on(sql`${table.zipCode} collate "C"`, table.id)
      .where(sql`${table.deletedAt} is null`),
    // New rows wait in a list that is merged into the index a megabyte at a time, so that inserts stay cheap.
    index('leads_search_idx')
      .using('gin', table.searchText.op('gin_trgm_ops'))
      .with({ fastupdate: true, gin_pending_list_limit: 1024 })
      .where(sql`${table.deletedAt} is null`),
    // What staff search: without accents, apostrophes and commas (migration 0022). 1.0.0 searches by the index above.
    index('leads_search_folded_idx')
      .using('gin', sql`fold_search(${table.searchText}) gin_trgm_ops`)
      .with({ fastupdate: true, gin_pending_list_limit: 1024 })
      .where(sql`${table.deletedAt} is null`),
    // Includes the columns of the other filters.
    index('leads_delivery_failed_idx')
      .on(table.createdAt.desc(), table.id.desc())
      .where(sql`${table.deliveryFailed} and ${table.deletedAt} is null`),
    // Includes the columns of the other filters.
    index('leads_clinic_not_reached_idx')
      .on(table.createdAt.desc(), table.id.desc())
      .where(sql`${table.clinicNotReached} and ${table.deletedAt} is null`),
    index('leads_follow_up_idx')
      .on(table.followUpOn, table.createdAt.desc(), table.id.desc())
      .where(sql`${table.followUpOn} is not null and ${table.deletedAt} is null`),
    index('leads_deleted_idx')
      .on(table.deletedAt)
      .where(sql`${table.deletedAt} is not null`),
    // Includes id, zip5 and the columns of the other filters.
    index('leads_unmatched_idx')
      .on(table.createdAt.desc())
      .where(sql`${table.providerId} is null and ${table.deletedAt} is null`),
    index('leads_quarantined_idx')
      .on(table.createdAt.desc())
      .where(sql`${table.quarantinedAt} is not null and ${table.deletedAt} is null`),
    index('leads_updated_idx').on(sql`coalesce(${table.updatedAt}, ${table.createdAt})`, table.id),
    index('leads_email_norm_idx').on(table.emailNorm),
    // Addresses that are another spelling of their mailbox (features/identity/mailbox.ts).
    index('leads_mailbox_idx')
      .on(sql`email_mailbox(${table.emailNorm})`)
      .where(sql`email_mailbox(${table.emailNorm}) <> ${table.emailNorm}`),
    index('leads_phone_e164_idx').on(table.phoneE164),
    index('leads_duplicate_of_idx')
      .on(table.duplicateOf)
      .where(sql`${table.duplicateOf} is not null`),
  ],
);

export type LeadRow = typeof leads.$inferSelect;
export type LeadInsert = typeof leads.$inferInsert;

/** Of a row that is deleted with its lead. */
export function ofLead() {
  const leadId = bigNumber('lead_id').notNull();
  return leadId.references(() => leads.id, { onDelete: 'cascade' });
}
