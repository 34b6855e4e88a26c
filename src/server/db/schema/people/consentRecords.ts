import { boolean, check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';
import { bigNumber, checkValues, inet, instant } from '../../columns.ts';

/** The HTML of each lead form as it was rendered, once per content. */
export const consentFormSnapshots = pgTable('consent_form_snapshots', {
  sha256: text('sha256').primaryKey(),
  html: text('html').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
});

/**
 * Evidence that a person agreed to be contacted (FTC 16 CFR 310.5(a)(8): the request as presented, when, by whom).
 * Append-only: a trigger refuses UPDATE, DELETE and TRUNCATE, except for the blanking of personal columns that a row of
 * `consent_erasures` records, and for DELETE after `retain_until` of what a row of `consent_checkpoints` covers.
 * `row_hash` covers every other column as inserted. `consent_seals` chains the rows.
 */
export const consentRecords = pgTable(
  'consent_records',
  {
    id: bigNumber('id').primaryKey().generatedAlwaysAsIdentity(),
    // No unique constraint: a table partitioned by `id` couldn't have one.
    uuid: uuid('uuid').notNull(),
    // No foreign key: the evidence outlives the lead, and an append-only row can't be set to null.
    leadId: bigNumber('lead_id').notNull(),
    formKey: text('form_key').notNull(),
    textId: text('text_id'),
    textVersion: integer('text_version'),
    textShown: text('text_shown').notNull(),
    textSha256: text('text_sha256').notNull(),
    textKnown: boolean('text_known').notNull(),
    checked: boolean('checked').notNull(),
    channels: text('channels').array().notNull(),
    sellerProviderId: bigNumber('seller_provider_id'),
    sellerName: text('seller_name'),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    email: text('email').notNull(),
    phone: text('phone').notNull(),
    acceptedAt: instant('accepted_at').notNull(),
    ip: inet('ip').notNull(),
    userAgent: text('user_agent'),
    pageUrl: text('page_url'),
    host: text('host').notNull(),
    referrerHost: text('referrer_host'),
    formSha256: text('form_sha256').references(() => consentFormSnapshots.sha256),
    msFromRender: integer('ms_from_render'),
    gpc: boolean('gpc').notNull(),
    retainUntil: instant('retain_until').notNull(),
    /**
     * The list of fields that `row_hash` covers (features/consent/evidenceFields.ts). 1: without all columns below. 2:
     * without the last five. 3: without the answers.
     */
    hashVersion: integer('hash_version').notNull().default(1),
    /** The lead's UUID: signed links name it, and the evidence outlives the lead. */
    leadPublicId: uuid('lead_public_id'),
    /** The Origin and Sec-Fetch-Site headers of the submission, as sent. */
    origin: text('origin'),
    fetchSite: text('fetch_site'),
    /** The version of the form that was shown; null if none is known to have been. */
    formVersion: integer('form_version'),
    /** What the text allows the channels for; null for an unknown text. */
    purpose: text('purpose'),
    /** The browser's time of the submission, as it said. */
    clientClock: instant('client_clock'),
    /** Whether the box was ticked before the person saw it. Null if no form is known to have been shown. */
    prechecked: boolean('prechecked'),
    /**
     * Answers to the brand's questions as JSON text: the hash is over what was stored, and jsonb reorders. Null: none.
     */
    answers: text('answers'),
    rowHash: text('row_hash').notNull(),
  },
  (table) => [
    check('consent_records_checked_check', sql`${table.checked}`),
    check('consent_records_row_hash_check', sql`${table.rowHash} ~ '^[0-9a-f]{64}$'`),
    index('consent_records_lead_idx').on(table.leadId),
    index('consent_records_lead_public_id_idx').on(table.leadPublicId),
    // Whether a form snapshot may be removed. Equal keys share their entry.
    index('consent_records_form_idx').on(table.formSha256),
  ],
);

/** Records not sealed yet, deleted by the sealer. No foreign key: only sealed records are deleted; intake is faster. */
export const consentSealQueue = pgTable('consent_seal_queue', {
  recordId: bigNumber('record_id').primaryKey(),
});

/**
 * The chain by `seq`: seal_hash = sha256(prev_hash + row_hash (of an erasure, erasure_hash) + sealed_at). Append-only.
 */
export const consentSeals = pgTable(
  'consent_seals',
  {
    seq: bigNumber('seq').primaryKey(),
    recordId: bigNumber('record_id').notNull(),
    /** What is sealed: the record as inserted, or what an erasure left of it. */
    sealed: text('sealed', { enum: ['record', 'erasure'] })
      .notNull()
      .default('record'),
    prevHash: text('prev_hash').notNull(),
    sealHash: text('seal_hash').notNull(),
    sealedAt: instant('sealed_at').notNull().defaultNow(),
    /** HMAC-SHA256 of `seal_hash` under the key `key_id`; not needed for the plain chain. Null: before keys existed. */
    keyId: text('key_id'),
    sealHmac: text('seal_hmac'),
  },
  (table) => [
    unique('consent_seals_record_id_sealed_unique').on(table.recordId, table.sealed),
    checkValues('consent_seals_sealed_check', table.sealed, ['record', 'erasure']),
    check('consent_seals_seal_hash_check', sql`${table.sealHash} ~ '^[0-9a-f]{64}$'`),
    check('consent_seals_hmac_check', sql`(${table.keyId} is null) = (${table.sealHmac} is null)`),
  ],
);
/**
 * Where the chain begins after its oldest seals were removed with their records (features/consent/pruneEvidence.ts).
 * Written in the transaction that removes them. Append-only; the application's role can't write it.
 */
export const consentCheckpoints = pgTable(
  'consent_checkpoints',
  {
    /** The last removed seal. */
    seq: bigNumber('seq').primaryKey(),
    /** Its hash, which the next seal names as `prev_hash`. */
    sealHash: text('seal_hash').notNull(),
    /** The checkpoint before; null for the first. */
    previousSeq: bigNumber('previous_seq'),
    /** Consent records that were removed since the checkpoint before. */
    records: integer('records').notNull(),
    /** When the newest of all removed consents was given. */
    acceptedUntil: instant('accepted_until').notNull(),
    at: instant('at').notNull(),
    /** HMAC-SHA256 of the columns above under the data key `key_id`, as of a seal. */
    keyId: text('key_id').notNull(),
    hmac: text('hmac').notNull(),
  },
  (table) => [
    check('consent_checkpoints_seal_hash_check', sql`${table.sealHash} ~ '^[0-9a-f]{64}$'`),
    check('consent_checkpoints_hmac_check', sql`${table.hmac} ~ '^[0-9a-f]{64}$'`),
    check('consent_checkpoints_previous_check', sql`${table.previousSeq} < ${table.seq}`),
  ],
);

export type ConsentRecordInsert = typeof consentRecords.$inferInsert;
export type ConsentRecordRow = typeof consentRecords.$inferSelect;
export type ConsentSealRow = typeof consentSeals.$inferSelect;
export type ConsentCheckpointRow = typeof consentCheckpoints.$inferSelect;
