import { and, arrayContains, desc, eq, isNotNull, or } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { erasureLedger, type LedgerRow } from '#server/db/schema/index.ts';

type Hashed = Pick<LedgerRow, 'emailHmac' | 'phoneHmac'>;

/** Whether the latest entry about an email address or a phone number ends contact. */
async function isEnded(db: Queryable, { emailHmac, phoneHmac }: Hashed): Promise<boolean> {
  for (const [column, hash] of [
    [erasureLedger.emailHmac, emailHmac],
    [erasureLedger.phoneHmac, phoneHmac],
  ] as const) {
    if (hash === null) continue;
    const [latest] = await db
      .select({ kind: erasureLedger.kind })
      .from(erasureLedger)
      .where(eq(column, hash))
      .orderBy(desc(erasureLedger.id))
      .limit(1);
    if (latest !== undefined && latest.kind !== 'suppression-lifted') return true;
  }
  return false;
}

/**
 * What the ledger says of a lead that isn't in the database, because the database was restored: whether its person was
 * erased or, by the latest entry about them, suppressed. `emailHmac`: the keyed hash of the address, if it is known.
 * Reads the whole table, which has a row for each erasure and suppression.
 */
export async function isEndedByLedger(
  db: Queryable,
  { publicId, emailHmac = null }: { publicId: string; emailHmac?: string | null },
): Promise<boolean> {
  const entries = await db
    .select({
      kind: erasureLedger.kind,
      emailHmac: erasureLedger.emailHmac,
      phoneHmac: erasureLedger.phoneHmac,
    })
    .from(erasureLedger)
    .where(
      and(
        arrayContains(erasureLedger.leadPublicIds, [publicId]),
        or(
          eq(erasureLedger.kind, 'erased'),
          isNotNull(erasureLedger.emailHmac),
          isNotNull(erasureLedger.phoneHmac),
        ),
      ),
    );
  if (entries.some(({ kind }) => kind === 'erased')) return true;
  for (const entry of [{ emailHmac, phoneHmac: null }, ...entries]) if (await isEnded(db, entry)) return true;
  return false;
}
