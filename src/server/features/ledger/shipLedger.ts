import { and, asc, count, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { advisoryLocks } from '#server/db/advisoryLocks.ts';
import type { Queryable } from '#server/db/connect.ts';
import { erasureLedger, type LedgerRow } from '#server/db/schema/index.ts';
import { ledgerOldestSeconds, ledgerUnshipped } from '#server/metrics.ts';
import type { DataKey, DataKeys } from '#server/security/dataKeys.ts';
import { entryMac, genesisMac, type LedgerEntry, listUnnumbered, type LedgerTarget } from './ledgerEntry.ts';

const batchSize = 100;
const waitMaxMs = 300_000;

/** How far the shipped ledger is behind the database. */
interface LedgerLag {
  unshipped: number;
  /** Of the oldest unshipped entry, by the database's clock; 0 if there is none. */
  oldestSeconds: number;
}

/** One statement, from a small index. */
export async function readLedgerLag(db: Queryable): Promise<LedgerLag> {
  const [row] = await db
    .select({
      unshipped: count(),
      oldestSeconds: sql<number>`coalesce(greatest(extract(epoch from now() - min(${erasureLedger.at})), 0), 0)::float8`,
    })
    .from(erasureLedger)
    .where(isNull(erasureLedger.shippedAt));
  return row ?? { unshipped: 0, oldestSeconds: 0 };
}

/**
 * Numbers and signs new entries, one worker at a time. Outside the transactions that record them, so that an erasure
 * never waits for another, and a rolled back one leaves no gap.
 */
async function numberEntries(db: Queryable, { id: keyId, key }: DataKey): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.numberLedger})`);
    const [last] = await tx
      .select({ sequence: erasureLedger.sequence, mac: erasureLedger.mac })
      .from(erasureLedger)
      .where(isNotNull(erasureLedger.sequence))
      .orderBy(desc(erasureLedger.sequence))
      .limit(1);
    const rows = await tx
      .select()
      .from(erasureLedger)
      .where(isNull(erasureLedger.sequence))
      .orderBy(asc(erasureLedger.id))
      .limit(batchSize);
    let sequence = last?.sequence ?? 0;
    let mac = last?.mac ?? genesisMac;
    for (const row of rows) {
      sequence += 1;
      mac = entryMac(key, mac, { ...listUnnumbered(row), sequence, key: keyId });
      await tx.update(erasureLedger).set({ sequence, keyId, mac }).where(eq(erasureLedger.id, row.id));
    }
  });
}

function getEntry(row: LedgerRow): LedgerEntry {
  const { sequence, keyId, mac } = row;
  if (sequence === null || keyId === null || mac === null) throw new Error('a ledger entry has no number');
  return { ...listUnnumbered(row), sequence, key: keyId, mac };
}

interface Shipping {
  db: Queryable;
  dataKeys: DataKeys;
  target: LedgerTarget;
}

/**
 * Ships the next entries in order and marks them. Any number of processes may call it: the same entry is the same
 * bytes, and the place stores it once. Returns how many it shipped. Throws what the place throws, and the rest waits.
 */
export async function shipEntries(
  { db, dataKeys, target }: Shipping,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  await numberEntries(db, await dataKeys.current('erasure-ledger'));
  const rows = await db
    .select()
    .from(erasureLedger)
    .where(and(isNull(erasureLedger.shippedAt), isNotNull(erasureLedger.sequence)))
    .orderBy(asc(erasureLedger.sequence))
    .limit(batchSize);
  for (const row of rows) {
    signal.throwIfAborted();
    await target.append(getEntry(row), signal);
    await db
      .update(erasureLedger)
      .set({ shippedAt: sql`now()` })
      .where(eq(erasureLedger.id, row.id));
  }
  return rows.length;
}

interface Options extends Omit<Shipping, 'target'> {
  /** Null: entries wait until a place is configured. */
  target: LedgerTarget | null;
  /** Monotonic. */
  nowMs?: () => number;
}

/**
 * The periodic work of a worker: ships what is new and sets the metrics. After a failure, which it throws, it waits
 * twice as long each time, five minutes at most. An empty ledger costs one statement.
 */
export function createLedgerShipper({
  target,
  nowMs = () => performance.now(),
  ...shipping
}: Options): (signal: AbortSignal) => Promise<void> {
  let failures = 0;
  let nextAtMs = 0;
  const setMetrics = async (): Promise<LedgerLag> => {
    const lag = await readLedgerLag(shipping.db);
    ledgerUnshipped.set(lag.unshipped);
    ledgerOldestSeconds.set(lag.oldestSeconds);
    return lag;
  };
  return async (signal) => {
    const { unshipped } = await setMetrics();
    if (target === null || unshipped === 0 || nowMs() < nextAtMs) return;
    try {
      while ((await shipEntries({ ...shipping, target }, signal)) === batchSize);
      failures = 0;
      nextAtMs = 0;
    } catch (error) {
      failures += 1;
      nextAtMs = nowMs() + Math.min(waitMaxMs, 5_000 * 2 ** failures);
      throw error;
    }
    await setMetrics();
  };
}
