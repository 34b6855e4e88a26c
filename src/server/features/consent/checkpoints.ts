import { asc, desc, gt } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { consentCheckpoints, type ConsentCheckpointRow } from '#server/db/schema/index.ts';
import { paged, pageRows, type Report, type Snapshot } from './consentFaults.ts';
import { sealHmac } from './consentHash.ts';
import type { SealKey } from './verifySeals.ts';

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
  /** Whether the newest one has the right HMAC, or one that could not be checked. */
  isTrusted: boolean;
  /** Consent records that were removed. */
  records: number;
  /** Checkpoints whose HMAC could not be checked: none of SECRET_KEYS opens their key. */
  unchecked: number;
}

/** The problem of a checkpoint that follows `previous`; null if there is none. */
function problemOf(
  checkpoint: ConsentCheckpointRow,
  previous: ConsentCheckpointRow | null,
  key: SealKey | undefined,
): string | null {
  if (checkpoint.previousSeq !== (previous?.seq ?? null))
    return `it does not follow ${previous === null ? 'the beginning' : `checkpoint ${previous.seq}`}: a checkpoint is missing, or was added`;
  if (key === undefined) return 'it names a key that does not exist';
  return key.key === null || checkpointHmac(key.key.key, checkpoint) === checkpoint.hmac
    ? null
    : 'it has a wrong HMAC: it was changed, or not made by this product';
}

/** Checks that each checkpoint follows the one before and has the right HMAC. */
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
  const verified: VerifiedCheckpoints = { newest: null, isTrusted: false, records: 0, unchecked: 0 };
  for await (const checkpoint of rows) {
    const { seq, keyId, records } = checkpoint;
    const key = keys.get(keyId);
    const problem = problemOf(checkpoint, verified.newest, key);
    if (problem !== null)
      report({ recordId: null, leadId: null, seq, problem: `checkpoint ${seq}: ${problem}` });
    if (key?.key === null) verified.unchecked += 1;
    verified.newest = checkpoint;
    verified.isTrusted = problem === null;
    verified.records += records;
  }
  return verified;
}
