import { sql } from 'drizzle-orm';
import { bigint, check, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

/**
 * Where the chain begins after its oldest seals were removed with their records (features/consent/pruneEvidence.ts).
 * Written in the transaction that removes them. Append-only; the application's role can't write it.
 */
export const consentCheckpoints = pgTable(
  'consent_checkpoints',
  {
    /** The last removed seal. */
    seq: bigint('seq', { mode: 'number' }).primaryKey(),
    /** Its hash, which the next seal names as `prev_hash`. */
    sealHash: text('seal_hash').notNull(),
    /** The checkpoint before; null for the first. */
    previousSeq: bigint('previous_seq', { mode: 'number' }),
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

export type ConsentCheckpointRow = typeof consentCheckpoints.$inferSelect;
