import { and, asc, count, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { createDataKeys, type DataKey } from '#server/security/dataKeys.ts';
import type { Database } from '#server/db/connect.ts';
import {
  consentErasures,
  type ConsentErasureRow,
  consentFormSnapshots,
  type ConsentRecordRow,
  consentRecords,
  consentSealQueue,
  type ConsentSealRow,
  consentSeals,
  dataKeys,
  leads,
} from '#server/db/schema/index.ts';
import { erasureHash } from './consentErasure.ts';
import { genesisHash, sealHash, sealHmac, sha256 } from './consentHash.ts';
import { consentRowHash } from './evidenceFields.ts';

export interface ConsentFault {
  recordId: number | null;
  leadId: number | null;
  seq: number | null;
  problem: string;
}

export interface ConsentSummary {
  records: number;
  seals: number;
  /** Rows that are not sealed yet. A running server seals them within seconds. */
  waiting: number;
  faults: number;
  /**
   * Seals whose HMAC could not be checked, by key: none of SECRET_KEYS opens it, or null, made before there was a key.
   */
  unchecked: { keyId: string | null; seals: number }[];
  /** The chain's end. A copy kept elsewhere proves later that nothing before it was rewritten. */
  head: { seq: number; sealHash: string } | null;
}

type Report = (fault: ConsentFault) => void;
type Snapshot = Parameters<Parameters<Database['transaction']>[0]>[0];

const pageRows = 2_000;

/** Yields every row of an ordered page query, with one page in memory. */
async function* paged<Row>(
  page: (after: number) => Promise<Row[]>,
  keyOf: (row: Row) => number,
): AsyncGenerator<Row> {
  // Below every key, so that an inserted row with a negative id is checked too.
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = await page(after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = keyOf(last);
  }
}

const recordSeals = alias(consentSeals, 'record_seals');
const erasureSeals = alias(consentSeals, 'erasure_seals');

interface Evidence {
  record: ConsentRecordRow;
  erasure: ConsentErasureRow | null;
  /** Of the erasure's own seal. */
  erasureSeq: number | null;
}

/**
 * The problem of a record's content, or null. For an erased record: the hash of what is left must match, that hash must
 * have a seal, and the record must have been intact before.
 */
function contentProblem({ record, erasure, erasureSeq }: Evidence): string | null {
  if (erasure === null) {
    if (consentRowHash(record) !== record.rowHash) return 'its content does not match its hash';
  } else {
    if (erasureHash(record, erasure) !== erasure.erasureHash)
      return 'what its erasure left does not match the hash of that';
    if (!erasure.wasIntact) return 'its content did not match its hash when it was erased';
    if (erasureSeq === null) return 'its erasure has no seal';
    if (!record.textKnown) return null;
  }
  return sha256(record.textShown) === record.textSha256 ? null : 'the text shown does not match its hash';
}

/** Checks each row against its own hashes, and whether it is sealed or queued. */
async function verifyRecords(tx: Snapshot, report: Report): Promise<{ records: number; waiting: number }> {
  const rows = paged(
    (after) =>
      tx
        .select({
          record: consentRecords,
          erasure: consentErasures,
          seq: recordSeals.seq,
          erasureSeq: erasureSeals.seq,
          waiting: consentSealQueue.recordId,
        })
        .from(consentRecords)
        .leftJoin(consentErasures, eq(consentErasures.recordId, consentRecords.id))
        .leftJoin(
          recordSeals,
          and(eq(recordSeals.recordId, consentRecords.id), eq(recordSeals.sealed, 'record')),
        )
        .leftJoin(
          erasureSeals,
          and(eq(erasureSeals.recordId, consentRecords.id), eq(erasureSeals.sealed, 'erasure')),
        )
        .leftJoin(consentSealQueue, eq(consentSealQueue.recordId, consentRecords.id))
        .where(gt(consentRecords.id, after))
        .orderBy(asc(consentRecords.id))
        .limit(pageRows),
    ({ record }) => record.id,
  );
  let records = 0;
  let waitingCount = 0;
  for await (const { seq, waiting, ...evidence } of rows) {
    const { record } = evidence;
    records += 1;
    if (waiting !== null) waitingCount += 1;
    const fault = (problem: string): void =>
      report({ recordId: record.id, leadId: record.leadId, seq, problem });
    const problem = contentProblem(evidence);
    if (problem !== null) fault(problem);
    if (seq === null && waiting === null) fault('it has no seal and is not waiting for one');
    if (seq !== null && waiting !== null) fault('it is sealed and yet waiting for a seal');
  }
  return { records, waiting: waitingCount };
}

interface SealKey {
  createdAt: Date;
  /** Null: none of SECRET_KEYS opens it. */
  key: DataKey | null;
}

/** The keys that seals may name, by id. */
async function sealKeys(tx: Snapshot, secretKeys: readonly string[]): Promise<Map<string, SealKey>> {
  const rows = await tx
    .select({ id: dataKeys.id, createdAt: dataKeys.createdAt })
    .from(dataKeys)
    .where(eq(dataKeys.purpose, 'consent-seal'));
  const { find } = createDataKeys({ db: tx, secretKeys });
  const keys = new Map<string, SealKey>();
  for (const { id, createdAt } of rows) keys.set(id, { createdAt, key: await find(id) });
  return keys;
}

/** Checks the HMACs of seals in their order. */
function hmacCheck(keys: ReadonlyMap<string, SealKey>) {
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

/**
 * Checks the chain from its first seal: no gap, each seal follows the previous one, matches its record's hash and has
 * the right HMAC.
 */
async function verifySeals(
  tx: Snapshot,
  keys: ReadonlyMap<string, SealKey>,
  report: Report,
): Promise<Pick<ConsentSummary, 'seals' | 'head' | 'unchecked'>> {
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
  let head: ConsentSummary['head'] = null;
  for await (const { seal, rowHash, erased, leadId } of rows) {
    seals += 1;
    const fault = (problem: string): void =>
      report({ recordId: seal.recordId, leadId, seq: seal.seq, problem });
    const expectedSeq: number = (head?.seq ?? 0) + 1;
    if (seal.seq !== expectedSeq) fault(`the chain has a gap: seal ${expectedSeq} is missing`);
    else if (seal.prevHash !== (head?.sealHash ?? genesisHash))
      fault('its seal does not follow the one before it');
    const hash = seal.sealed === 'erasure' ? erased : rowHash;
    if (hash === null) fault(`the ${seal.sealed} is gone, its seal is left`);
    else if (seal.sealHash !== sealHash(seal.prevHash, hash, seal.sealedAt))
      fault('its seal was not made from its content');
    const wrong = hmacs.problem(seal);
    if (wrong !== null) fault(wrong);
    head = { seq: seal.seq, sealHash: seal.sealHash };
  }
  const unchecked = [...hmacs.unchecked].map(([keyId, uncheckedSeals]) => ({ keyId, seals: uncheckedSeals }));
  return { seals, head, unchecked };
}

/**
 * Checks that each form shown is stored and matches the hash in its records. Postgres computes the hashes. A fault
 * names the first such record.
 */
async function verifySnapshots(tx: Snapshot, report: Report): Promise<void> {
  const changed = await tx
    .select({
      sha256: consentFormSnapshots.sha256,
      recordId: sql<string | null>`min(${consentRecords.id})`,
      records: count(consentRecords.id),
    })
    .from(consentFormSnapshots)
    .leftJoin(consentRecords, eq(consentRecords.formSha256, consentFormSnapshots.sha256))
    .where(
      sql`encode(sha256(convert_to(${consentFormSnapshots.html}, 'UTF8')), 'hex') <> ${consentFormSnapshots.sha256}`,
    )
    .groupBy(consentFormSnapshots.sha256)
    .orderBy(asc(consentFormSnapshots.sha256));
  for (const { sha256: named, recordId, records } of changed) {
    report({
      recordId: recordId === null ? null : Number(recordId),
      leadId: null,
      seq: null,
      problem: `the form shown (snapshot ${named}, in ${records} records) does not match its hash`,
    });
  }
  const gone = await tx
    .select({
      sha256: consentRecords.formSha256,
      recordId: sql<string>`min(${consentRecords.id})`,
      records: count(consentRecords.id),
    })
    .from(consentRecords)
    .leftJoin(consentFormSnapshots, eq(consentFormSnapshots.sha256, consentRecords.formSha256))
    .where(and(isNotNull(consentRecords.formSha256), isNull(consentFormSnapshots.sha256)))
    .groupBy(consentRecords.formSha256)
    .orderBy(asc(consentRecords.formSha256));
  for (const { sha256: named, recordId, records } of gone) {
    report({
      recordId: Number(recordId),
      leadId: null,
      seq: null,
      problem: `the form shown (snapshot ${named}, in ${records} records) is gone`,
    });
  }
}

/** Finds entries of the queue, and leads with consent, whose record is missing. */
async function verifyNothingMissing(tx: Snapshot, report: Report): Promise<void> {
  const queued = await tx
    .select({ recordId: consentSealQueue.recordId })
    .from(consentSealQueue)
    .leftJoin(consentRecords, eq(consentRecords.id, consentSealQueue.recordId))
    .where(isNull(consentRecords.id));
  for (const { recordId } of queued) {
    report({ recordId, leadId: null, seq: null, problem: 'the record is gone, it was waiting for its seal' });
  }
  const orphans = await tx
    .select({ leadId: leads.id })
    .from(leads)
    .where(
      and(
        eq(leads.acceptanceConsent, true),
        sql`not exists (select 1 from ${consentRecords} where ${consentRecords.leadId} = ${leads.id})`,
      ),
    )
    .orderBy(asc(leads.id));
  for (const { leadId } of orphans) {
    report({ recordId: null, leadId, seq: null, problem: 'the lead agreed, its consent record is gone' });
  }
}

/**
 * Checks all evidence in one consistent snapshot: every row's hash, every form shown, every seal and its HMAC, and that
 * nothing is missing. Reports each fault when it is found. Memory does not grow with the number of rows. `secretKeys`
 * open the keys of the HMACs; without them, only the plain chain is checked.
 */
export async function verifyConsent(
  db: Database,
  report: Report,
  secretKeys: readonly string[],
): Promise<ConsentSummary> {
  return db.transaction(
    async (tx) => {
      let faults = 0;
      const counted: Report = (fault) => {
        faults += 1;
        report(fault);
      };
      const { records, waiting } = await verifyRecords(tx, counted);
      const keys = await sealKeys(tx, secretKeys);
      const { seals, head, unchecked } = await verifySeals(tx, keys, counted);
      await verifySnapshots(tx, counted);
      await verifyNothingMissing(tx, counted);
      return { records, seals, waiting, faults, unchecked, head };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

/** A fault in one line: `consent record 12 (lead 34): …`. */
export function faultLine({ recordId, leadId, seq, problem }: ConsentFault): string {
  if (recordId === null) return leadId === null ? problem : `lead ${leadId}: ${problem}`;
  const known = [leadId === null ? null : `lead ${leadId}`, seq === null ? null : `seal ${seq}`].filter(
    (part) => part !== null,
  );
  return `consent record ${recordId}${known.length === 0 ? '' : ` (${known.join(', ')})`}: ${problem}`;
}
