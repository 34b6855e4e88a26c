import { asc, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Database } from '../../db/connect.ts';
import { consentRecords, consentSealQueue, consentSeals } from '../../db/schema/index.ts';
import { genesisHash, sealHash } from './consentHash.ts';

const batchSize = 1_000;
/** One sealer at a time over all processes: two would give two rows the same place in the chain. Any constant nobody else uses. */
const sealerLock = 7_025_001;

/** Links up to a thousand waiting rows to the chain; the seals and the emptied queue commit together. */
async function sealBatch(db: Database): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${sealerLock})`);
    const waiting = await tx
      .select({ recordId: consentSealQueue.recordId, rowHash: consentRecords.rowHash })
      .from(consentSealQueue)
      .innerJoin(consentRecords, eq(consentRecords.id, consentSealQueue.recordId))
      // A row queued again by hand must not stop the sealer; verifyConsent reports it.
      .leftJoin(consentSeals, eq(consentSeals.recordId, consentSealQueue.recordId))
      .where(isNull(consentSeals.seq))
      .orderBy(asc(consentSealQueue.recordId))
      .limit(batchSize);
    if (waiting.length === 0) return 0;
    const [last] = await tx
      .select({ seq: consentSeals.seq, sealHash: consentSeals.sealHash })
      .from(consentSeals)
      .orderBy(desc(consentSeals.seq))
      .limit(1);
    let prevHash = last?.sealHash ?? genesisHash;
    let seq = last?.seq ?? 0;
    const sealedAt = new Date();
    const seals = waiting.map(({ recordId, rowHash }) => {
      seq += 1;
      const seal = { seq, recordId, prevHash, sealHash: sealHash(prevHash, rowHash, sealedAt), sealedAt };
      prevHash = seal.sealHash;
      return seal;
    });
    await tx.insert(consentSeals).values(seals);
    await tx.delete(consentSealQueue).where(
      inArray(
        consentSealQueue.recordId,
        seals.map(({ recordId }) => recordId),
      ),
    );
    return seals.length;
  });
}

/**
 * Seals every consent record that waits when it is called, in batches; returns how many. Any number of processes may call it: they take
 * turns. `seq` has no gaps and a crash leaves rows waiting, never half sealed.
 */
export async function sealConsent(db: Database): Promise<number> {
  let total = 0;
  for (;;) {
    const sealed = await sealBatch(db);
    total += sealed;
    if (sealed < batchSize) return total;
  }
}
