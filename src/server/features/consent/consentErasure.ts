import { randomBytes } from 'node:crypto';
import { asc, eq, inArray } from 'drizzle-orm';
import { buildRecord } from '#shared/formats/records.ts';
import type { DataKey } from '#server/security/dataKeys.ts';
import type { Queryable } from '#server/db/connect.ts';
import {
  consentErasures,
  type ConsentErasureRow,
  consentRecords,
  type ConsentRecordRow,
} from '#server/db/schema/index.ts';
import { sealErasures } from './consentChain.ts';
import {
  sha256,
  consentRowHash,
  type PersonalName,
  personalNames,
  personalProperties,
} from './evidenceFields.ts';

/**
 * The salted hash that replaces an erased value. It doesn't reveal the value, but a person who presents it again can be
 * matched with the evidence. Each record has its own salt, so that equal values differ.
 */
export function erasedValueHash(salt: string, name: PersonalName, value: string): string {
  return sha256(`${salt}\n${name}\n${value}`);
}

/** What replaces the personal values. A client's own consent text may contain personal data. The registered texts don't. */
function buildBlanks({ textKnown, textShown }: ConsentRecordRow) {
  return {
    ...{ firstName: '', lastName: '', email: '', phone: '', ip: '0.0.0.0' },
    ...{ userAgent: null, pageUrl: null, referrerHost: null, origin: null, answers: null },
    textShown: textKnown ? textShown : '',
  };
}

/** Covers all that is left: the blanked record, the hash that was sealed, and the hashes of the values. */
export function erasureHash(
  record: ConsentRecordRow,
  erasure: Omit<ConsentErasureRow, 'erasureHash'>,
): string {
  const { recordId, at, salt, hashes, wasIntact } = erasure;
  const kept = Object.keys(hashes)
    .toSorted()
    .map((name) => [name, hashes[name]]);
  return sha256(
    JSON.stringify([
      recordId,
      record.rowHash,
      consentRowHash(record),
      at.toISOString(),
      salt,
      kept,
      wasIntact,
    ]),
  );
}

function getErasure(record: ConsentRecordRow, at: Date): ConsentErasureRow {
  const salt = randomBytes(16).toString('hex');
  const hashes = buildRecord(personalNames, (name) => {
    const value = name === 'text_shown' && record.textKnown ? null : record[personalProperties[name]];
    return value === null ? null : erasedValueHash(salt, name, value);
  });
  const wasIntact = consentRowHash(record) === record.rowHash;
  const erasure = { recordId: record.id, at, salt, hashes, wasIntact };
  return { ...erasure, erasureHash: erasureHash({ ...record, ...buildBlanks(record) }, erasure) };
}

/**
 * Replaces records' personal values by salted hashes. Their hashes and seals stay, and each erasure is sealed in the
 * same transaction. Marks records with a wrong hash permanently. None may be erased yet. `sealKey`: the current key.
 */
export async function eraseConsentRecords(
  tx: Queryable,
  recordIds: readonly number[],
  { at, sealKey }: { at: Date; sealKey: DataKey },
): Promise<void> {
  if (recordIds.length === 0) return;
  const records = await tx
    .select()
    .from(consentRecords)
    .where(inArray(consentRecords.id, [...recordIds]))
    .orderBy(asc(consentRecords.id));
  const erasures = records.map((record) => getErasure(record, at));
  await tx.insert(consentErasures).values(erasures);
  for (const record of records)
    await tx.update(consentRecords).set(buildBlanks(record)).where(eq(consentRecords.id, record.id));
  await sealErasures(tx, erasures, { sealedAt: at, key: sealKey });
}
