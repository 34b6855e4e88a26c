import { asc, gt, inArray, or } from 'drizzle-orm';
import { z } from 'zod';
import { hourMs } from '#shared/formats/time.ts';
import type { Queryable } from '#server/db/connect.ts';
import { auditLog, type AuditLogRow } from '#server/db/schema/index.ts';
import type { DataKey } from '#server/security/dataKeys.ts';
import { parseJson } from '#server/security/readBody.ts';
import {
  genesisMac,
  isSignedBy,
  LedgerConflict,
  type LedgerTarget,
  parseSigned,
  signContent,
} from './ledgerEntry.ts';

const batchSize = 1_000;
/** In one round, which holds the lock of the notes. */
const batchesMax = 20;
/** A transaction that runs longer than this with an entry doesn't exist. */
const gapMs = hourMs;
/** A larger gap is one that a restore made on purpose. */
const gapMax = 100;

/** How far the audit log was shipped, as the notes have it. */
export const auditPosition = z.looseObject({
  /** Of the last batch; 0: none. */
  batch: z.number().int().nonnegative(),
  /** The highest id that was shipped. */
  id: z.number().int().nonnegative(),
  mac: z.string(),
  /** Lower ids that weren't there: of transactions that had not committed, or were rolled back. */
  gaps: z.array(z.object({ id: z.number().int(), since: z.iso.datetime() })),
});
export type AuditPosition = z.infer<typeof auditPosition>;

const start: AuditPosition = { batch: 0, id: 0, mac: genesisMac, gaps: [] };

const batchContent = z.looseObject({
  batch: z.number().int().positive(),
  position: auditPosition.omit({ mac: true }),
});

/** Each batch covers the one before it. */
const getLabel = ({ mac }: Pick<AuditPosition, 'mac'>): string => `audit-batch\n${mac}`;

/** Not only digits: versions that know only the ledger's entries must not take it for one. */
export function auditBatchName(batch: number): string {
  return `audit-${String(batch).padStart(12, '0')}.json`;
}

/** The position after a batch that follows `previous`. Throws LedgerConflict if it was changed or is another's. */
export function readAuditBatch(key: DataKey, previous: AuditPosition, text: string): AuditPosition {
  const signed = parseSigned(text);
  const batch = signed === null ? null : parseJson(batchContent, signed.content);
  if (signed !== null && batch?.batch === previous.batch + 1 && isSignedBy(key, getLabel(previous), signed))
    return { ...batch.position, mac: signed.mac };
  throw new LedgerConflict(
    `The batch ${auditBatchName(previous.batch + 1)} of the audit log was changed, or belongs to another database.`,
  );
}

/** The entries that weren't shipped, by ascending id. */
function readUnshipped(db: Queryable, { id, gaps }: AuditPosition): Promise<AuditLogRow[]> {
  const late = gaps.map((gap) => gap.id);
  return db
    .select()
    .from(auditLog)
    .where(or(gt(auditLog.id, id), late.length === 0 ? undefined : inArray(auditLog.id, late)))
    .orderBy(asc(auditLog.id))
    .limit(batchSize);
}

/** The position after these entries: its gaps are ids that may still come. */
function positionAfter(position: AuditPosition, rows: readonly AuditLogRow[], now: Date) {
  const found = new Set(rows.map(({ id }) => id));
  const isOpen = ({ id, since }: { id: number; since: string }): boolean =>
    !found.has(id) && now.getTime() - Date.parse(since) < gapMs;
  const gaps = position.gaps.filter(isOpen);
  let last = position.id;
  for (const { id } of rows) {
    const from = id - last <= gapMax ? last + 1 : id;
    for (let gap = from; gap < id; gap += 1) gaps.push({ id: gap, since: now.toISOString() });
    last = Math.max(last, id);
  }
  return { batch: position.batch + 1, id: last, gaps };
}

interface Shipping {
  db: Queryable;
  key: DataKey;
  target: Pick<LedgerTarget, 'putOnce'>;
  now: Date;
}

/**
 * Ships what the audit log has beyond a position (null: from the beginning), in signed batches that are chained and
 * never overwritten. A batch that a process stored before it crashed counts. One process at a time, under the lock of
 * the notes, which have the position. Returns the new one. Throws LedgerConflict and what the place throws.
 */
export async function shipAuditLog(
  { db, key, target, now }: Shipping,
  from: AuditPosition | null,
): Promise<AuditPosition> {
  let position = from ?? start;
  for (let round = 0; round < batchesMax; round += 1) {
    const rows = await readUnshipped(db, position);
    if (rows.length === 0) return position;
    const next = positionAfter(position, rows, now);
    const entries = rows.map((row) => ({ ...row, at: row.at.toISOString() }));
    const content = JSON.stringify({ batch: next.batch, position: next, entries });
    const signed = signContent(key, getLabel(position), content);
    const text = `${JSON.stringify(signed)}\n`;
    const stored = await target.putOnce(auditBatchName(next.batch), text);
    position = stored === null ? { ...next, mac: signed.mac } : readAuditBatch(key, position, stored);
  }
  return position;
}
