import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  pgTable,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';
import { leadOutcomes } from '#shared/leads/leadOutcomes.ts';
import { quarantineReasons } from '#shared/leads/quarantine.ts';
import { inet, instant } from '../columns.ts';
import { providers } from './providers.ts';

/** What visitors left. Deleting is soft (`deleted_at`); quarantined rows are kept but never delivered. */
export const leads = pgTable(
  'leads',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    publicId: uuid('public_id').notNull().defaultRandom(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    email: text('email').notNull(),
    phone: text('phone').notNull(),
    zipCode: text('zip_code').notNull(),
    providerId: bigint('provider_id', { mode: 'number' }).references(() => providers.id, {
      onDelete: 'restrict',
    }),
    /** The clinic on whose own site it was left, whoever has it since; null: the main site. */
    siteProviderId: bigint('site_provider_id', { mode: 'number' }).references(() => providers.id, {
      onDelete: 'restrict',
    }),
    createdAt: instant('created_at').notNull().defaultNow(),
    crmSyncStatus: text('crm_sync_status', { enum: ['pending', 'success', 'failed'] }).default('pending'),
    acceptanceMessage: text('acceptance_message'),
    acceptanceConsent: boolean('acceptance_consent').notNull().default(false),
    acceptanceIp: inet('acceptance_ip'),
    emailNorm: text('email_norm').notNull(),
    phoneE164: text('phone_e164').notNull(),
    zip5: text('zip5'),
    matchMethod: text('match_method', {
      enum: ['tenant', 'requested', 'nearest', 'manual', 'none'],
    }).notNull(),
    matchReason: text('match_reason').notNull(),
    matchDistanceMiles: doublePrecision('match_distance_miles'),
    duplicateOf: bigint('duplicate_of', { mode: 'number' }).references((): AnyPgColumn => leads.id, {
      onDelete: 'set null',
    }),
    quarantinedAt: instant('quarantined_at'),
    quarantineReason: text('quarantine_reason', {
      enum: quarantineReasons,
    }),
    /**
     * What the clinic that has it told last; of a lead that has none, what the last one told. Written by triggers alone (migration `outcomes`), so that
     * it can't differ from `lead_outcomes`.
     */
    outcome: text('outcome', { enum: leadOutcomes }),
    /** Whether something of it failed for good that nobody has begun anew. Likewise written by triggers alone (migration `failed_deliveries`). */
    deliveryFailed: boolean('delivery_failed').notNull().default(false),
    deletedAt: instant('deleted_at'),
    /** Its person was erased: a tombstone for counts, deleted for good and never purged. */
    erasedAt: instant('erased_at'),
    /** What staff's search looks in: names, e-mail, the phone's digits, ZIP and number, in lower case, each between spaces. */
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(
        sql`' ' || lower(first_name) || ' ' || lower(last_name) || ' ' || lower(email) || ' ' || ltrim(phone_e164, '+') || ' ' || lower(zip_code) || ' ' || id::text || ' '`,
      ),
  },
  (table) => [
    check('leads_crm_sync_status_check', sql`${table.crmSyncStatus} in ('pending', 'success', 'failed')`),
    check(
      'leads_match_method_check',
      sql`${table.matchMethod} in ('tenant', 'requested', 'nearest', 'manual', 'none')`,
    ),
    check('leads_match_provider_check', sql`(${table.matchMethod} = 'none') = (${table.providerId} is null)`),
    check(
      'leads_quarantine_check',
      sql`(${table.quarantinedAt} is null) = (${table.quarantineReason} is null)`,
    ),
    check('leads_erased_check', sql`${table.erasedAt} is null or ${table.deletedAt} is not null`),
    check('leads_zip5_check', sql`${table.zip5} ~ '^[0-9]{5}$'`),
    check('leads_phone_e164_check', sql`${table.phoneE164} ~ '^\\+[0-9]{10,15}$'`),
    // In the database (migration 0008) it also includes site_provider_id, provider_id, crm_sync_status and quarantined_at, which can't be said
    // here: the insights of a year are then read from the index alone.
    index('leads_created_idx')
      .on(table.createdAt.desc(), table.id.desc())
      .where(sql`${table.deletedAt} is null`),
    index('leads_provider_idx')
      .on(table.providerId, table.createdAt.desc(), table.id.desc())
      .where(sql`${table.deletedAt} is null`),
    // Likewise (0009) with what other filters look at (provider_id, quarantined_at, duplicate_of): filters together are then counted from an index.
    index('leads_status_idx')
      .on(table.crmSyncStatus, table.createdAt.desc(), table.id.desc())
      .where(sql`${table.deletedAt} is null`),
    // Likewise (migration `outcomes`) with what other filters look at.
    index('leads_outcome_idx')
      .on(table.outcome, table.createdAt.desc(), table.id.desc())
      .where(sql`${table.outcome} is not null and ${table.deletedAt} is null`),
    index('leads_repeat_idx')
      .on(table.createdAt.desc(), table.id.desc())
      .where(sql`${table.duplicateOf} is not null and ${table.deletedAt} is null`),
    index('leads_last_name_idx')
      .on(sql`lower(${table.lastName}) collate "C"`, table.id)
      .where(sql`${table.deletedAt} is null`),
    index('leads_zip_code_idx')
      .on(sql`${table.zipCode} collate "C"`, table.id)
      .where(sql`${table.deletedAt} is null`),
    // New rows wait in a short list, merged into the index a megabyte at a time: an insert pays little, and the one that merges too.
    index('leads_search_idx')
      .using('gin', table.searchText.op('gin_trgm_ops'))
      .with({ fastupdate: true, gin_pending_list_limit: 1024 })
      .where(sql`${table.deletedAt} is null`),
    // Likewise (migration `failed_deliveries`) with what other filters look at.
    index('leads_delivery_failed_idx')
      .on(table.createdAt.desc(), table.id.desc())
      .where(sql`${table.deliveryFailed} and ${table.deletedAt} is null`),
    index('leads_deleted_idx')
      .on(table.deletedAt)
      .where(sql`${table.deletedAt} is not null`),
    // Likewise (0009) with id, zip5 and what other filters look at.
    index('leads_unmatched_idx')
      .on(table.createdAt.desc())
      .where(sql`${table.providerId} is null and ${table.deletedAt} is null`),
    index('leads_quarantined_idx')
      .on(table.createdAt.desc())
      .where(sql`${table.quarantinedAt} is not null and ${table.deletedAt} is null`),
    index('leads_email_norm_idx').on(table.emailNorm),
    index('leads_phone_e164_idx').on(table.phoneE164),
    index('leads_duplicate_of_idx')
      .on(table.duplicateOf)
      .where(sql`${table.duplicateOf} is not null`),
  ],
);

export type LeadRow = typeof leads.$inferSelect;
export type LeadInsert = typeof leads.$inferInsert;
