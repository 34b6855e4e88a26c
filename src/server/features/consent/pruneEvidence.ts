import { and, asc, eq, gt, inArray, notExists, type SQL, sql } from 'drizzle-orm';
import { alias, type PgColumn } from 'drizzle-orm/pg-core';
import type { DataKey } from '#server/security/dataKeys.ts';
import { advisoryLocks } from '#server/db/advisoryLocks.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import {
  consentCheckpoints,
  type ConsentCheckpointRow,
  consentErasures,
  consentFormSnapshots,
  consentRecords,
  consentSeals,
  consentWithdrawals,
  leads,
} from '#server/db/schema/index.ts';
import { purgeRows } from '#server/db/purgeRows.ts';
import { readTransactionTime } from '#server/db/readRows.ts';
import { checkpointHmac, findNewestCheckpoint, verifyCheckpoints } from './checkpoints.ts';
import { contentProblem } from './consentVerify.ts';
import type { ChainEnd } from './evidenceFields.ts';
import { hmacCheck, readSealKeys, sealProblems } from './verifySeals.ts';

/** Seals in one transaction. */
const defaultBatchSize = 2_000;

/** The first seal that stays, because its record must be kept. */
interface RetainedEntry {
  seq: number;
  recordId: number;
  until: Date;
}

export interface PruneReport {
  seals: number;
  records: number;
  /** 0 unless something was removed. */
  withdrawals: number;
  /** Form snapshots; 0 unless something was removed. */
  forms: number;
  /** The last seal of the prefix; null: no seal may be removed. */
  lastSeq: number | null;
  /** Null: the chain ends with the prefix, or the run was interrupted. */
  kept: RetainedEntry | null;
}

interface PruneOptions {
  secretKeys: readonly string[];
  /** The current `consent-seal` data key, which signs the checkpoints. */
  key: DataKey;
  /** false: only counts. */
  removes: boolean;
  /** No batch starts after its abort. */
  signal?: AbortSignal;
  /** Called after each batch with the last seal of the prefix so far. */
  onBatch?: (seq: number) => void;
  batchSize?: number;
}

const erasureSeals = alias(consentSeals, 'erasure_seals');

function readBatch(tx: Queryable, end: ChainEnd | null, limit: number) {
  return tx
    .select({
      seal: consentSeals,
      record: consentRecords,
      erasure: consentErasures,
      erasureSeq: erasureSeals.seq,
      mustStay: sql<boolean | null>`${consentRecords.retainUntil} >= now()`,
    })
    .from(consentSeals)
    .leftJoin(consentRecords, eq(consentRecords.id, consentSeals.recordId))
    .leftJoin(consentErasures, eq(consentErasures.recordId, consentSeals.recordId))
    .leftJoin(
      erasureSeals,
      and(eq(erasureSeals.recordId, consentSeals.recordId), eq(erasureSeals.sealed, 'erasure')),
    )
    .where(gt(consentSeals.seq, end?.seq ?? 0))
    .orderBy(asc(consentSeals.seq))
    .limit(limit);
}
type SealRow = Awaited<ReturnType<typeof readBatch>>[number];

/** The rows before the first one whose record must be kept. Throws a sentence at a row that doesn't verify. */
function getPrefix(
  rows: readonly SealRow[],
  start: ChainEnd | null,
  hmacs: ReturnType<typeof hmacCheck>,
): { prefix: SealRow[]; kept: RetainedEntry | null } {
  const prefix: SealRow[] = [];
  let end = start;
  for (const row of rows) {
    const { seal, record, erasure, erasureSeq } = row;
    const isRecord = seal.sealed === 'record';
    const hash = (isRecord ? record?.rowHash : erasure?.erasureHash) ?? null;
    const [problem] = [
      ...sealProblems({ seal, hash }, end, hmacs),
      isRecord && record !== null ? contentProblem({ record, erasure, erasureSeq }) : null,
    ].filter((found) => found !== null);
    if (problem !== undefined)
      throw new Error(
        `Consent record ${seal.recordId} (seal ${seal.seq}): ${problem}. Neither it nor what follows it was removed. Run npm run consent:verify.`,
      );
    if (isRecord && record !== null && row.mustStay === true)
      return { prefix, kept: { seq: seal.seq, recordId: record.id, until: record.retainUntil } };
    prefix.push(row);
    end = seal;
  }
  return { prefix, kept: null };
}

/** Writes the checkpoint of a prefix, then removes the prefix in the order that the triggers allow. */
async function removePrefix(
  tx: Queryable,
  prefix: readonly SealRow[],
  { previous, key }: { previous: ConsentCheckpointRow | null; key: DataKey },
): Promise<void> {
  const last = prefix.at(-1);
  if (last === undefined) return;
  const records = prefix.flatMap(({ seal, record }) =>
    seal.sealed === 'record' && record !== null ? [record] : [],
  );
  const erased = prefix.flatMap(({ seal }) => (seal.sealed === 'erasure' ? [seal.recordId] : []));
  const acceptedMs = records.map(({ acceptedAt }) => acceptedAt.getTime());
  const checkpoint = {
    seq: last.seal.seq,
    sealHash: last.seal.sealHash,
    previousSeq: previous?.seq ?? null,
    records: records.length,
    acceptedUntil: new Date(Math.max(previous?.acceptedUntil.getTime() ?? 0, ...acceptedMs)),
    at: await readTransactionTime(tx),
  };
  const hmac = checkpointHmac(key.key, checkpoint);
  await tx.insert(consentCheckpoints).values({ ...checkpoint, keyId: key.id, hmac });
  const recordIds = records.map(({ id }) => id);
  await tx.delete(consentRecords).where(inArray(consentRecords.id, recordIds));
  await tx.delete(consentErasures).where(inArray(consentErasures.recordId, erased));
  await tx.delete(consentSeals).where(
    inArray(
      consentSeals.seq,
      prefix.map(({ seal }) => seal.seq),
    ),
  );
}

const isOverAge = (at: PgColumn): SQL => sql`${at} < now() - interval '5 years'`;

/** Withdrawals of five years ago whose lead has neither a row nor evidence. */
function isUnusedWithdrawal(): SQL | undefined {
  const { leadId, at } = consentWithdrawals;
  const ofLead = sql`(select from ${leads} where ${leads.id} = ${leadId} and ${leads.erasedAt} is null)`;
  const ofRecord = sql`(select from ${consentRecords} where ${consentRecords.leadId} = ${leadId})`;
  return and(isOverAge(at), notExists(ofRecord), notExists(ofLead));
}

/** Form snapshots of five years ago that no record refers to. */
function isUnusedForm(): SQL | undefined {
  const { sha256, createdAt } = consentFormSnapshots;
  const references = sql`(select from ${consentRecords} where ${consentRecords.formSha256} = ${sha256})`;
  return and(isOverAge(createdAt), notExists(references));
}

/** Removes all rows that match, in batches. Returns how many. */
async function removeAll(
  db: Queryable,
  key: PgColumn,
  { where, limit }: { where: SQL | undefined; limit: number },
): Promise<number> {
  for (let total = 0; ;) {
    const removed = await purgeRows(db, key, where, { limit });
    if (removed === 0) return total;
    total += removed;
  }
}

/**
 * Removes the longest prefix of the chain whose records may be removed (`retain_until`), with their records and
 * erasures, then withdrawals and form snapshots of removed records. Each batch is one transaction with its checkpoint,
 * so the run may be interrupted. Never removes what doesn't verify: throws a sentence that names it, also if a
 * checkpoint doesn't verify or no secret opens a key. Must be connected as the owner.
 */
export async function pruneEvidence(
  db: Database,
  { secretKeys, key, removes, signal, onBatch, batchSize = defaultBatchSize }: PruneOptions,
): Promise<PruneReport> {
  const keys = await readSealKeys(db, secretKeys);
  for (const [id, { key: opened }] of keys)
    if (opened === null)
      throw new Error(`None of SECRET_KEYS opens the key ${id}. Add the key that was used before.`);
  await db.transaction((tx) =>
    verifyCheckpoints(tx, keys, ({ problem }) => {
      throw new Error(`${problem}. Nothing was removed. Run npm run consent:verify.`);
    }),
  );
  const hmacs = hmacCheck(keys);
  const report: PruneReport = { seals: 0, records: 0, withdrawals: 0, forms: 0, lastSeq: null, kept: null };
  let counted: ChainEnd | null = null;
  for (;;) {
    if (signal?.aborted === true) return report;
    const { prefix, kept, isShort } = await db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.pruneEvidence})`);
      const previous = await findNewestCheckpoint(tx);
      const start = counted ?? previous;
      const rows = await readBatch(tx, start, batchSize);
      const found = getPrefix(rows, start, hmacs);
      if (removes) await removePrefix(tx, found.prefix, { previous, key });
      return { ...found, isShort: rows.length < batchSize };
    });
    const end = prefix.at(-1)?.seal;
    if (end !== undefined) {
      if (!removes) counted = end;
      report.seals += prefix.length;
      report.records += prefix.filter(({ seal }) => seal.sealed === 'record').length;
      report.lastSeq = end.seq;
      onBatch?.(end.seq);
    }
    report.kept = kept;
    if (kept !== null || isShort) break;
  }
  // Without a checkpoint, no record was ever removed, and the triggers keep what belonged to records.
  if (removes && (await findNewestCheckpoint(db)) !== null) {
    report.withdrawals = await removeAll(db, consentWithdrawals.id, {
      where: isUnusedWithdrawal(),
      limit: batchSize,
    });
    report.forms = await removeAll(db, consentFormSnapshots.sha256, {
      where: isUnusedForm(),
      limit: batchSize,
    });
  }
  return report;
}
