import { desc, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { erasureLedger } from '#server/db/schema/index.ts';
import type { DataKeys } from '#server/security/dataKeys.ts';
import { LedgerConflict, entryMac, genesisMac, type LedgerEntry } from './ledgerEntry.ts';

/** The last entry that a database knows to be shipped. `sequence` is 0 before the first. */
interface LedgerPosition {
  sequence: number;
  mac: string;
  at: Date | null;
}

export async function readLedgerPosition(db: Queryable): Promise<LedgerPosition> {
  const [last] = await db
    .select({ sequence: erasureLedger.sequence, mac: erasureLedger.mac, at: erasureLedger.at })
    .from(erasureLedger)
    .where(isNotNull(erasureLedger.shippedAt))
    .orderBy(desc(erasureLedger.sequence))
    .limit(1);
  return { sequence: last?.sequence ?? 0, mac: last?.mac ?? genesisMac, at: last?.at ?? null };
}

/** One entry for each number, ascending. A worker that crashed may have stored an entry twice. */
function distinctEntries(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const bySequence = new Map<number, LedgerEntry>();
  for (const entry of entries) {
    const other = bySequence.get(entry.sequence);
    if (other !== undefined && other.mac !== entry.mac)
      throw new LedgerConflict(
        `The erasure ledger has two different entries ${entry.sequence}: two databases wrote to it. Keep those of the lost database and remove the others, then restore again.`,
      );
    bySequence.set(entry.sequence, entry);
  }
  return [...bySequence.values()].toSorted((a, b) => a.sequence - b.sequence);
}

/** The entries after a position, in order. Throws LedgerConflict if one is missing, changed or another database's. */
export async function followingEntries(
  entries: readonly LedgerEntry[],
  position: LedgerPosition,
  dataKeys: Pick<DataKeys, 'find'>,
): Promise<LedgerEntry[]> {
  const all = distinctEntries(entries);
  const following = all.filter(({ sequence }) => sequence > position.sequence);
  const own = all.find(({ sequence }) => sequence === position.sequence);
  if (own !== undefined && own.mac !== position.mac)
    throw new LedgerConflict(
      `Entry ${position.sequence} of the erasure ledger is not the one that this database shipped: LEDGER_URL names the ledger of another installation.`,
    );
  if (own === undefined && position.sequence > 0 && following.length === 0)
    throw new LedgerConflict(
      `The erasure ledger lacks entry ${position.sequence}, which this database shipped: it was cut off, or LEDGER_URL names another place.`,
    );
  let previous: Pick<LedgerEntry, 'sequence' | 'mac'> = position;
  for (const entry of following) {
    if (entry.sequence !== previous.sequence + 1)
      throw new LedgerConflict(
        `The erasure ledger has a gap: entry ${previous.sequence + 1} is missing. Look for it in the place's own versions or copies.`,
      );
    const key = await dataKeys.find(entry.key);
    if (key === null)
      throw new LedgerConflict(
        `Entry ${entry.sequence} of the erasure ledger is signed with ${entry.key}, which this database lacks or SECRET_KEYS don't open.`,
      );
    if (entryMac(key.key, previous.mac, entry) !== entry.mac)
      throw new LedgerConflict(
        `Entry ${entry.sequence} of the erasure ledger was changed, or belongs to another database.`,
      );
    previous = entry;
  }
  return following;
}

/** Takes back the numbers of entries that were not shipped: the shipped ledger may have used them. */
export async function unnumberUnshipped(tx: Queryable): Promise<void> {
  await tx
    .update(erasureLedger)
    .set({ sequence: null, keyId: null, mac: null })
    .where(isNull(erasureLedger.shippedAt));
}

/** Stores a shipped entry. Returns whether the database had it, and so what it says, already. */
export async function adoptEntry(tx: Queryable, entry: LedgerEntry, now: Date): Promise<boolean> {
  const { sequence, mac } = entry;
  const shipped = { sequence, mac, keyId: entry.key, shippedAt: now };
  const known = await tx.update(erasureLedger).set(shipped).where(eq(erasureLedger.entryId, entry.id));
  if (known.count > 0) return true;
  await tx.insert(erasureLedger).values({
    ...shipped,
    entryId: entry.id,
    at: new Date(entry.at),
    kind: entry.kind,
    emailHmac: entry.email,
    phoneHmac: entry.phone,
    leadPublicIds: entry.leads,
    reason: entry.reason,
    how: entry.how,
  });
  return false;
}
