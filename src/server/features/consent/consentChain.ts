import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm';
import type { DataKey, DataKeys } from '#server/security/dataKeys.ts';
import type { Queryable } from '#server/db/connect.ts';
import {
  type ConsentErasureRow,
  consentRecords,
  consentSealQueue,
  consentSeals,
} from '#server/db/schema/index.ts';
import { genesisHash, sealHash, sealHmac } from './consentHash.ts';
import { insertRows } from '#server/db/insertRows.ts';
import { advisoryLocks } from '#server/db/advisoryLocks.ts';

const batchSize = 1_000;

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

/** Appends seals to the chain. The caller holds the chain's lock. */
async function appendLinks(
  tx: Queryable,
  links: readonly Link[],
  { sealedAt, key: { id: keyId, key } }: Sealing,
): Promise<void> {
  const [last] = await tx
    .select({ seq: consentSeals.seq, sealHash: consentSeals.sealHash })
    .from(consentSeals)
    .orderBy(desc(consentSeals.seq))
    .limit(1);
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

/** Seals up to a thousand queued records. Seals and queue change in one transaction. */
function sealBatch(db: Queryable, key: DataKey): Promise<number> {
  return db.transaction(async (tx) => {
    await lockChain(tx);
    const waiting = await tx
      .select({ recordId: consentSealQueue.recordId, hash: consentRecords.rowHash })
      .from(consentSealQueue)
      .innerJoin(consentRecords, eq(consentRecords.id, consentSealQueue.recordId))
      // A record that was queued again by hand must not stop the sealer. verifyConsent reports it.
      .leftJoin(
        consentSeals,
        and(eq(consentSeals.recordId, consentSealQueue.recordId), eq(consentSeals.sealed, 'record')),
      )
      .where(isNull(consentSeals.seq))
      .orderBy(asc(consentSealQueue.recordId))
      .limit(batchSize);
    if (waiting.length === 0) return 0;
    const links = waiting.map((row) => ({ ...row, sealed: 'record' as const }));
    // By the database's clock, as the records' own times are.
    const [clock] = await tx.execute<{ now: string }>(sql`select now()::text as now`);
    if (clock === undefined) throw new Error('the database gave no time');
    await appendLinks(tx, links, { sealedAt: new Date(clock.now), key });
    const sealed = JSON.stringify(links.map(({ recordId }) => recordId));
    await tx.execute(sql`
      delete from ${consentSealQueue} where record_id in (select id::bigint from json_array_elements_text(${sealed}::text::json) as id)`);
    return links.length;
  });
}

/**
 * Seals all queued consent records in batches. Returns how many. Any number of processes may call it; they take turns.
 * `seq` has no gaps. After a crash, records are queued or sealed, nothing between. `key` is the current `consent-seal`
 * data key.
 */
export async function sealConsent(db: Queryable, key: DataKey): Promise<number> {
  let total = 0;
  for (;;) {
    const sealed = await sealBatch(db, key);
    total += sealed;
    if (sealed < batchSize) return total;
  }
}

/** Seals the queued records, if any. An empty queue costs one statement. */
export async function sealWaiting(db: Queryable, dataKeys: DataKeys): Promise<void> {
  const waiting = await db.select({ recordId: consentSealQueue.recordId }).from(consentSealQueue).limit(1);
  if (waiting.length > 0) await sealConsent(db, await dataKeys.current('consent-seal'));
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
  await appendLinks(tx, links, sealing);
}
