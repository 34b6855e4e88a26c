import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable } from './connect.ts';
import { readRow } from './readRows.ts';

/**
 * Every advisory lock with a fixed number. They share one number space in a database, so no two may be equal. Locks of
 * persons and recipients have computed numbers (features/identity/identity.ts, features/mail/recipientLimits.ts).
 */
export const advisoryLocks = {
  /** Which process starts the embedded server. */
  embedded: 2_546_427,
  /** Migrations, one process at a time. */
  migrate: 6_447_283,
  /** Sealing consent records: two sealers would use the same place in the chain. */
  sealConsent: 7_025_001,
  /** Numbering entries of the erasure ledger: two workers would give the same number. */
  numberLedger: 7_025_007,
  /** Writing the notes of the erasure ledger: two workers would each lack what the other noted. */
  noteLedger: 7_025_013,
  /** Moving sequences beyond the numbers that were given before a restore. */
  moveSequences: 7_025_017,
  /** Releasing leads above the limit: two processes would ask the limiter for the same lead. */
  releaseOverLimit: 7_025_019,
  /** Removing the oldest evidence: two commands would remove the same seals. */
  pruneEvidence: 7_025_023,
  /** Purges: the first of two numbers, the second is the task's hash (background/retention.ts). */
  purge: 7_025_029,
  /** Adding a webhook endpoint: their number is limited. */
  addEndpoint: 7_301_013,
  /** Matching leads without a provider again. */
  rematch: 7_301_021,
  /** Running schedules: the process that has it runs them. */
  schedules: 7_301_022,
  /** Releasing emails that are held for unreachable addresses: two processes would release twice as many. */
  tendMarks: 7_301_023,
  /** Choosing the applications of a message to staff: two workers would send two messages. */
  applicationNotices: 7_301_024,
  /** One provider sync at a time. */
  syncRun: 7_501_001,
  /** Comparing and writing providers. */
  reconcileProviders: 7_501_002,
} as const;

const heldLock = z.object({ isHeld: z.boolean() });

/** Tries to lock without waiting, until the transaction ends. A lock that several tasks share has one for each. */
export async function tryAdvisoryLock(tx: Queryable, lock: number, task?: string): Promise<boolean> {
  const key = task === undefined ? sql`${lock}` : sql`${lock}, hashtext(${task})`;
  const { isHeld } = await readRow(tx, heldLock)`select pg_try_advisory_xact_lock(${key}) as "isHeld"`;
  return isHeld;
}
