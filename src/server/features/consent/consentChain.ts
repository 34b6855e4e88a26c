import { and, asc, desc, eq, gt, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { DataKey, DataKeys } from '#server/security/dataKeys.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { bigintColumn, readRow, readTransactionTime } from '#server/db/readRows.ts';
import { sendTogether, withPreparedStatements } from '#server/db/preparedStatements.ts';
import {
  type ConsentErasureRow,
  consentRecords,
  consentSealQueue,
  consentSeals,
} from '#server/db/schema/index.ts';
import { findNewestCheckpoint } from './checkpoints.ts';
import { type ChainEnd, genesisHash, sealHash, sealHmac } from './evidenceFields.ts';
import { insertRows } from '#server/db/insertRows.ts';
import { advisoryLocks } from '#server/db/advisoryLocks.ts';

/** Small, because this process stores no lead while it computes a batch's hashes. */
const batchSize = 100;

interface Link {
  recordId: number;
  sealed: 'record' | 'erasure';
  /** Of the record or erasure that it seals. */
  hash: string;
}

/** Time and key of new seals. */
interface Sealing {
  sealedAt: Date;
  /** The current `consent-seal` key. */
  key: DataKey;
}

/** The end of the chain. Null for an empty one. */
async function readLastSeal(tx: Queryable): Promise<ChainEnd | null> {
  const [last] = await tx
    .select({ seq: consentSeals.seq, sealHash: consentSeals.sealHash })
    .from(consentSeals)
    .orderBy(desc(consentSeals.seq))
    .limit(1);
  // Every seal may have been removed. After the seals are read, so that a removal in between is seen.
  return last ?? findNewestCheckpoint(tx);
}

/** Appends seals to the chain after its last one. The caller holds the chain's lock. */
async function appendLinks(
  tx: Queryable,
  { last, links }: { last: ChainEnd | null; links: readonly Link[] },
  { sealedAt, key: { id: keyId, key } }: Sealing,
): Promise<void> {
  let prevHash = last?.sealHash ?? genesisHash;
  let seq = last?.seq ?? 0;
  const seals = links.map(({ hash, ...link }) => {
    seq += 1;
    const seal = { seq, ...link, prevHash, sealHash: sealHash(prevHash, hash, sealedAt), sealedAt };
    prevHash = seal.sealHash;
    return { ...seal, keyId, sealHmac: sealHmac(key, seal.sealHash) };
  });
  await tx.execute(insertRows(consentSeals, seals));
}

/** Locks the chain until the transaction ends. */
async function lockChain(tx: Queryable): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.sealConsent})`);
}

/** A queued record. `hash` is null if it is sealed already or gone, which happens only by hand. */
interface Waiting {
  recordId: number;
  hash: string | null;
}

/** The next queued records after `afterId`, by id. The batch is limited first, so that a long queue is read only once. */
function readWaiting(tx: Queryable, afterId: number): Promise<Waiting[]> {
  const queued = tx
    .select()
    .from(consentSealQueue)
    .where(gt(consentSealQueue.recordId, afterId))
    .orderBy(asc(consentSealQueue.recordId))
    .limit(batchSize)
    .as('queued');
  return tx
    .select({
      recordId: queued.recordId,
      hash: sql<string | null>`case when ${consentSeals.seq} is null then ${consentRecords.rowHash} end`,
    })
    .from(queued)
    .leftJoin(consentRecords, eq(consentRecords.id, queued.recordId))
    .leftJoin(
      consentSeals,
      and(eq(consentSeals.recordId, queued.recordId), eq(consentSeals.sealed, 'record')),
    )
    .orderBy(asc(queued.recordId));
}

interface SealedBatch {
  sealed: number;
  /** The last id of a full batch. Null if the queue has no more. */
  lastId: number | null;
}

/** Seals the next batch of queued records after `afterId`. Seals and queue change in one transaction. */
function sealBatch(db: Queryable, key: DataKey, afterId: number): Promise<SealedBatch> {
  return db.transaction(async (tx) => {
    // Sent together, the lock first: the others see what its last holder committed.
    const [, waiting, last, sealedAt] = await Promise.all([
      lockChain(tx),
      readWaiting(tx, afterId),
      readLastSeal(tx),
      // By the database's clock, as the records' own times are.
      readTransactionTime(tx),
    ]);
    // One that is sealed already or gone stays in the queue, where verifyConsent reports it.
    const links = waiting.flatMap(({ recordId, hash }) =>
      hash === null ? [] : [{ recordId, hash, sealed: 'record' as const }],
    );
    if (links.length > 0) {
      const ids = JSON.stringify(links.map(({ recordId }) => recordId));
      await sendTogether([
        appendLinks(tx, { last, links }, { sealedAt, key }),
        tx.execute(sql`
          delete from ${consentSealQueue} where record_id in (select id::bigint from json_array_elements_text(${ids}::text::json) as id)`),
      ]);
    }
    const isFull = waiting.length === batchSize;
    return { sealed: links.length, lastId: isFull ? (waiting.at(-1)?.recordId ?? null) : null };
  });
}

/**
 * Seals all queued consent records in batches and returns how many. Processes take turns. `seq` has no gaps. After a
 * crash, records are queued or sealed, nothing between. `key`: the current `consent-seal` data key.
 */
export async function sealConsent(db: Queryable, key: DataKey): Promise<number> {
  let total = 0;
  for (let afterId: number | null = 0; afterId !== null;) {
    const batch: SealedBatch = await sealBatch(db, key, afterId);
    total += batch.sealed;
    afterId = batch.lastId;
  }
  return total;
}

/** Seals the queued records, if any. An empty queue costs one statement. */
export async function sealWaiting(db: Database, dataKeys: DataKeys): Promise<void> {
  const waiting = await db.select({ recordId: consentSealQueue.recordId }).from(consentSealQueue).limit(1);
  if (waiting.length > 0)
    await sealConsent(withPreparedStatements(db), await dataKeys.current('consent-seal'));
}

/**
 * Seals erasures in the transaction that makes them, after all queued records, so that each erased record has a seal of
 * its original hash. Other sealers wait until that transaction ends.
 */
export async function sealErasures(
  tx: Queryable,
  erasures: readonly Pick<ConsentErasureRow, 'recordId' | 'erasureHash'>[],
  sealing: Sealing,
): Promise<void> {
  await lockChain(tx);
  await sealConsent(tx, sealing.key);
  const links = erasures.map(({ recordId, erasureHash }) => ({
    recordId,
    sealed: 'erasure' as const,
    hash: erasureHash,
  }));
  await appendLinks(tx, { last: await readLastSeal(tx), links }, sealing);
}

/** Records are counted up to this. */
const countedMax = 10_000;

export interface SealBacklog {
  /** Records that wait for their seal, `countedMax` at most. */
  unsealed: number;
  /** How long the oldest of them has waited; 0: none waits. */
  oldestSeconds: number;
  /** The number of the newest seal; 0 for an empty chain. */
  sequence: number;
}

/** What the sealer has to do, and the end of its chain: a few index lookups. `now` is the database's time. */
export async function readSealBacklog(db: Queryable, now: Date): Promise<SealBacklog> {
  const row = z.object({ unsealed: z.number(), oldest: z.number(), sequence: bigintColumn });
  const { unsealed, oldest, sequence } = await readRow(db, row)`
    select
      (select count(*)::int from (select from consent_seal_queue limit ${countedMax}) as counted) as unsealed,
      coalesce((select extract(epoch from ${now.toISOString()}::timestamptz - accepted_at)::float8 from consent_records
        where id = (select min(record_id) from consent_seal_queue)), 0) as oldest,
      coalesce((select max(seq) from consent_seals), (select max(seq) from consent_checkpoints), 0) as sequence`;
  return { unsealed, oldestSeconds: Math.max(0, oldest), sequence };
}
