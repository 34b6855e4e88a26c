import { asc, desc, gt } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { readTransactionTime } from '#server/db/readRows.ts';
import { consentCheckpoints, type ConsentCheckpointRow } from '#server/db/schema/index.ts';
import { sealHmac } from './evidenceFields.ts';
import { paged, pageRows, type Report, type SealKey, type Snapshot } from './verifySeals.ts';

/** The HMAC of a checkpoint: covers all of its columns but the key's name. */
export function checkpointHmac(
  key: Buffer,
  checkpoint: Omit<ConsentCheckpointRow, 'keyId' | 'hmac'>,
): string {
  const { seq, sealHash, previousSeq, records, acceptedUntil, at } = checkpoint;
  const times = [acceptedUntil.toISOString(), at.toISOString()];
  return sealHmac(key, JSON.stringify(['checkpoint', seq, sealHash, previousSeq, records, ...times]));
}

/** Where the chain begins; null: nothing was removed from it. */
export async function findNewestCheckpoint(db: Queryable): Promise<ConsentCheckpointRow | null> {
  const [newest] = await db.select().from(consentCheckpoints).orderBy(desc(consentCheckpoints.seq)).limit(1);
  return newest ?? null;
}

export interface VerifiedCheckpoints {
  /** Where the chain begins; null: at its first seal. */
  newest: ConsentCheckpointRow | null;
  /** Whether the newest one has no problem. */
  isTrusted: boolean;
  /** Consent records that were removed. */
  records: number;
}

/**
 * The problem of a checkpoint that follows `previous`; null if there is none. One whose key can't be opened is a fault,
 * unlike a seal's: it says why evidence is gone, and nothing else proves that.
 */
function toProblem(
  checkpoint: ConsentCheckpointRow,
  { previous, key, now }: { previous: ConsentCheckpointRow | null; key: SealKey | undefined; now: Date },
): string | null {
  if (checkpoint.previousSeq !== (previous?.seq ?? null))
    return `it does not follow ${previous === null ? 'the beginning' : `checkpoint ${previous.seq}`}: a checkpoint is missing, or was added`;
  if (key === undefined) return 'it names a key that does not exist';
  if (key.key === null)
    return `none of SECRET_KEYS opens its key ${checkpoint.keyId}, so it can't be checked; add the key to SECRET_KEYS if it was used before`;
  if (checkpointHmac(key.key.key, checkpoint) !== checkpoint.hmac)
    return 'it has a wrong HMAC: it was changed, or not made by this product';
  const { at, acceptedUntil } = checkpoint;
  if (at > now) return `its time ${at.toISOString()} is in the future`;
  return retainUntil(acceptedUntil) > at
    ? `it removed evidence of ${acceptedUntil.toISOString()}, which had to be kept longer`
    : null;
}

/** Each checkpoint must follow the one before, have the right HMAC and have removed only what was old enough. */
export async function verifyCheckpoints(
  tx: Snapshot,
  keys: ReadonlyMap<string, SealKey>,
  report: Report,
): Promise<VerifiedCheckpoints> {
  const rows = paged(
    (after) =>
      tx
        .select()
        .from(consentCheckpoints)
        .where(gt(consentCheckpoints.seq, after))
        .orderBy(asc(consentCheckpoints.seq))
        .limit(pageRows),
    ({ seq }) => seq,
  );
  const now = await readTransactionTime(tx);
  const verified: VerifiedCheckpoints = { newest: null, isTrusted: false, records: 0 };
  for await (const checkpoint of rows) {
    const { seq, keyId, records } = checkpoint;
    const problem = toProblem(checkpoint, { previous: verified.newest, key: keys.get(keyId), now });
    if (problem !== null) report({ seq, problem: `checkpoint ${seq}: ${problem}` });
    verified.newest = checkpoint;
    verified.isTrusted = problem === null;
    verified.records += records;
  }
  return verified;
}

/** How long evidence is kept: the Telemarketing Sales Rule's five years (16 CFR 310.5(b)). */
const retentionYears = 5;

/** Until when evidence of a consent of that time is kept. */
export function retainUntil(acceptedAt: Date): Date {
  const until = new Date(acceptedAt);
  until.setUTCFullYear(until.getUTCFullYear() + retentionYears);
  return until;
}
