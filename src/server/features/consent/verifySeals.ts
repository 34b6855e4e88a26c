import { asc, eq, gt } from 'drizzle-orm';
import { createDataKeys, type DataKey } from '#server/security/dataKeys.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import {
  consentErasures,
  consentRecords,
  type ConsentSealRow,
  consentSeals,
  dataKeys,
} from '#server/db/schema/index.ts';
import { type ChainEnd, genesisHash, sealHash, sealHmac } from './evidenceFields.ts';

export interface ConsentFault {
  recordId: number | null;
  leadId: number | null;
  seq: number | null;
  problem: string;
}

/** What is left out is null. */
export type Report = (fault: Partial<ConsentFault> & Pick<ConsentFault, 'problem'>) => void;

/** One consistent state of all evidence. */
export type Snapshot = Parameters<Parameters<Database['transaction']>[0]>[0];

export const pageRows = 2_000;

/** Yields every row of an ordered page query, with one page in memory. */
export async function* paged<Row>(
  page: (after: number) => Promise<Row[]>,
  toKey: (row: Row) => number,
): AsyncGenerator<Row> {
  // Below every key, so that an inserted row with a negative id is checked too.
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = await page(after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = toKey(last);
  }
}

/** A key that seals and checkpoints may name. */
export interface SealKey {
  createdAt: Date;
  /** Null: none of SECRET_KEYS opens it. */
  key: DataKey | null;
}

/** The keys that seals and checkpoints may name, by id. */
export async function readSealKeys(
  tx: Queryable,
  secretKeys: readonly string[],
): Promise<Map<string, SealKey>> {
  const rows = await tx
    .select({ id: dataKeys.id, createdAt: dataKeys.createdAt })
    .from(dataKeys)
    .where(eq(dataKeys.purpose, 'consent-seal'));
  const stored = createDataKeys({ db: tx, secretKeys });
  const keys = new Map<string, SealKey>();
  for (const { id, createdAt } of rows) keys.set(id, { createdAt, key: await stored.find(id) });
  return keys;
}

/** Checks the HMACs of seals in their order. */
export function hmacCheck(keys: ReadonlyMap<string, SealKey>) {
  const unchecked = new Map<string | null, number>();
  const keyedSinceMs = Math.min(...[...keys.values()].map(({ createdAt }) => createdAt.getTime()));
  let isKeyed = false;
  const skip = (keyId: string | null): null => {
    unchecked.set(keyId, (unchecked.get(keyId) ?? 0) + 1);
    return null;
  };
  return {
    unchecked,
    /** The problem of a seal's HMAC. Null if there is none, or if it can't be checked. */
    problem({ keyId, sealHash: hash, sealHmac: hmac, sealedAt }: ConsentSealRow): string | null {
      if (keyId === null || hmac === null) {
        if (isKeyed) return 'its seal has no HMAC, though earlier ones do';
        return sealedAt.getTime() >= keyedSinceMs
          ? 'its seal has no HMAC, though there was a key when it was made'
          : skip(null);
      }
      isKeyed = true;
      const named = keys.get(keyId);
      if (named === undefined) return 'its seal names a key that does not exist';
      const { key } = named;
      if (key === null) return skip(keyId);
      return sealHmac(key.key, hash) === hmac ? null : 'its seal has a wrong HMAC';
    },
  };
}

/** A seal, and the hash of the record or erasure that it seals; null: that is gone. */
interface SealWithHash {
  seal: ConsentSealRow;
  hash: string | null;
}

/** The problems of a seal that follows the end of the chain before it; null: it is the first one. */
export function sealProblems(
  { seal, hash }: SealWithHash,
  end: ChainEnd | null,
  hmacs: ReturnType<typeof hmacCheck>,
): string[] {
  const problems: (string | null)[] = [];
  const expectedSeq = (end?.seq ?? 0) + 1;
  if (seal.seq !== expectedSeq) problems.push(`the chain has a gap: seal ${expectedSeq} is missing`);
  else if (seal.prevHash !== (end?.sealHash ?? genesisHash))
    problems.push('its seal does not follow the one before it');
  if (hash === null) problems.push(`the ${seal.sealed} is gone, its seal is left`);
  else if (seal.sealHash !== sealHash(seal.prevHash, hash, seal.sealedAt))
    problems.push('its seal was not made from its content');
  problems.push(hmacs.problem(seal));
  return problems.filter((problem) => problem !== null);
}

interface VerifiedSeals {
  seals: number;
  /** Of the last seal; of the newest checkpoint if there is no seal after it. */
  head: ChainEnd | null;
  /** By key: seals whose HMAC could not be checked. */
  unchecked: { keyId: string | null; seals: number }[];
}

/** Checks seals from the first or the newest checkpoint: no gap, right predecessor, record hash and HMAC. */
export async function verifySeals(
  tx: Snapshot,
  { keys, start }: { keys: ReadonlyMap<string, SealKey>; start: ChainEnd | null },
  report: Report,
): Promise<VerifiedSeals> {
  const hmacs = hmacCheck(keys);
  const rows = paged(
    (after) =>
      tx
        .select({
          seal: consentSeals,
          rowHash: consentRecords.rowHash,
          erased: consentErasures.erasureHash,
          leadId: consentRecords.leadId,
        })
        .from(consentSeals)
        .leftJoin(consentRecords, eq(consentRecords.id, consentSeals.recordId))
        .leftJoin(consentErasures, eq(consentErasures.recordId, consentSeals.recordId))
        .where(gt(consentSeals.seq, after))
        .orderBy(asc(consentSeals.seq))
        .limit(pageRows),
    ({ seal }) => seal.seq,
  );
  let seals = 0;
  let head = start && { seq: start.seq, sealHash: start.sealHash };
  for await (const { seal, rowHash, erased, leadId } of rows) {
    seals += 1;
    const hash = seal.sealed === 'erasure' ? erased : rowHash;
    for (const problem of sealProblems({ seal, hash }, head, hmacs))
      report({ recordId: seal.recordId, leadId, seq: seal.seq, problem });
    head = { seq: seal.seq, sealHash: seal.sealHash };
  }
  const unchecked = [...hmacs.unchecked].map(([keyId, uncheckedSeals]) => ({ keyId, seals: uncheckedSeals }));
  return { seals, head, unchecked };
}
