import { and, asc, count, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database } from '#server/db/connect.ts';
import {
  consentErasures,
  type ConsentErasureRow,
  consentFormSnapshots,
  type ConsentRecordRow,
  consentRecords,
  consentSealQueue,
  consentSeals,
  leads,
} from '#server/db/schema/index.ts';
import { type VerifiedCheckpoints, verifyCheckpoints } from './checkpoints.ts';
import { erasureHash } from './consentErasure.ts';
import { type ChainEnd, sha256, consentRowHash } from './evidenceFields.ts';
import {
  type ConsentFault,
  paged,
  pageRows,
  readSealKeys,
  type Report,
  type Snapshot,
  verifySeals,
} from './verifySeals.ts';

/** A fault in one line: `consent record 12 (lead 34): …`. */
export function faultLine({ recordId, leadId, seq, problem }: ConsentFault): string {
  if (recordId === null) return leadId === null ? problem : `lead ${leadId}: ${problem}`;
  const known = [leadId === null ? null : `lead ${leadId}`, seq === null ? null : `seal ${seq}`].filter(
    (part) => part !== null,
  );
  return `consent record ${recordId}${known.length === 0 ? '' : ` (${known.join(', ')})`}: ${problem}`;
}

interface ConsentSummary {
  records: number;
  seals: number;
  /** Rows that are not sealed yet. A running server seals them within seconds. */
  waiting: number;
  faults: number;
  /** Seals whose HMAC could not be checked, by key: no SECRET_KEYS opens it, or null, from before there was one. */
  unchecked: { keyId: string | null; seals: number }[];
  /** The chain's end. A copy kept elsewhere proves later that nothing before it was rewritten. */
  head: ChainEnd | null;
  /** What was removed from the chain's beginning; null: nothing. */
  pruned: { seq: number; at: Date; records: number; isTrusted: boolean } | null;
}

const recordSeals = alias(consentSeals, 'record_seals');
const erasureSeals = alias(consentSeals, 'erasure_seals');

/** A record with what an erasure added to it. */
export interface Evidence {
  record: ConsentRecordRow;
  erasure: ConsentErasureRow | null;
  /** Of the erasure's own seal. */
  erasureSeq: number | null;
}

/**
 * The problem of a record's content, or null. For an erased record: the hash of what is left must match, that hash must
 * have a seal, and the record must have been intact before.
 */
export function contentProblem({ record, erasure, erasureSeq }: Evidence): string | null {
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

/** Each form shown must be stored and match the hash in its records. A fault names the first such record. */
async function verifySnapshots(tx: Snapshot, report: Report): Promise<void> {
  const changed = await tx
    .select({
      form: consentFormSnapshots.sha256,
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
  const gone = await tx
    .select({
      form: consentRecords.formSha256,
      recordId: sql<string>`min(${consentRecords.id})`,
      records: count(consentRecords.id),
    })
    .from(consentRecords)
    .leftJoin(consentFormSnapshots, eq(consentFormSnapshots.sha256, consentRecords.formSha256))
    .where(and(isNotNull(consentRecords.formSha256), isNull(consentFormSnapshots.sha256)))
    .groupBy(consentRecords.formSha256)
    .orderBy(asc(consentRecords.formSha256));
  const faults = [
    ...changed.map((row) => ({ ...row, fault: 'does not match its hash' })),
    ...gone.map((row) => ({ ...row, fault: 'is gone' })),
  ];
  for (const { form, recordId, records, fault } of faults)
    report({
      recordId: recordId === null ? null : Number(recordId),
      problem: `the form shown (snapshot ${form}, in ${records} records) ${fault}`,
    });
}

/** Finds queued records and leads with consent whose record is missing; leads from before a checkpoint may lack one. */
async function verifyNothingMissing(
  tx: Snapshot,
  { newest, isTrusted }: VerifiedCheckpoints,
  report: Report,
): Promise<void> {
  const queued = await tx
    .select({ recordId: consentSealQueue.recordId })
    .from(consentSealQueue)
    .leftJoin(consentRecords, eq(consentRecords.id, consentSealQueue.recordId))
    .where(isNull(consentRecords.id));
  for (const { recordId } of queued)
    report({ recordId, problem: 'the record is gone, it was waiting for its seal' });
  const orphans = await tx
    .select({ leadId: leads.id })
    .from(leads)
    .where(
      and(
        eq(leads.acceptanceConsent, true),
        newest !== null && isTrusted ? gt(leads.createdAt, newest.acceptedUntil) : undefined,
        sql`not exists (select 1 from ${consentRecords} where ${consentRecords.leadId} = ${leads.id})`,
      ),
    )
    .orderBy(asc(leads.id));
  for (const { leadId } of orphans)
    report({ leadId, problem: 'the lead agreed, its consent record is gone' });
}

/**
 * Checks all evidence in one consistent snapshot: every row's hash, every form shown, every checkpoint, every seal
 * after the newest one and its HMAC, and that nothing is missing. Reports each fault when it is found. Memory does not
 * grow with the number of rows. `secretKeys` open the keys of the HMACs; without them, only the plain chain is checked.
 */
export async function verifyConsent(
  db: Database,
  report: (fault: ConsentFault) => void,
  secretKeys: readonly string[],
): Promise<ConsentSummary> {
  return db.transaction(
    async (tx) => {
      let faults = 0;
      const counted: Report = (fault) => {
        faults += 1;
        report({ recordId: null, leadId: null, seq: null, ...fault });
      };
      const { records, waiting } = await verifyRecords(tx, counted);
      const keys = await readSealKeys(tx, secretKeys);
      const checkpoints = await verifyCheckpoints(tx, keys, counted);
      const { newest } = checkpoints;
      const { seals, head, unchecked } = await verifySeals(tx, { keys, start: newest }, counted);
      await verifySnapshots(tx, counted);
      await verifyNothingMissing(tx, checkpoints, counted);
      const { records: removed, isTrusted } = checkpoints;
      const pruned = newest && { seq: newest.seq, at: newest.at, records: removed, isTrusted };
      return { records, seals, waiting, faults, unchecked, head, pruned };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}
