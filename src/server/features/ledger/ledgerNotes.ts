import { z } from 'zod';
import type { DataKey, DataKeys } from '#server/security/dataKeys.ts';
import { auditPosition } from './auditBatches.ts';
import { parseJson } from '#server/security/readBody.ts';
import { isSignedBy, LedgerConflict, type LedgerTarget, parseSigned, signContent } from './ledgerEntry.ts';

/** Loose, and with any kind: a later version may have written them, and a rollback must not lose what it wrote. */
const accessChange = z.looseObject({
  id: z.uuid(),
  /** Of `accessChangeKinds`, or a later version's. */
  kind: z.string(),
  /** Of a token, an account or a provider; 0 of an endpoint, because version 1.0.1 reads a number. */
  subject: z.number().int(),
  /** Of a webhook endpoint. */
  endpoint: z.string().optional(),
  /** Of an account. */
  role: z.string().optional(),
  at: z.iso.datetime(),
});
export type NotedAccessChange = z.infer<typeof accessChange>;

const content = z.looseObject({
  format: z.literal(1),
  /** When they were written. */
  at: z.iso.datetime(),
  /** The highest number that each sequence gave, by the sequence's name. */
  numbers: z.record(z.string(), z.number().int()),
  /** Every end of access, the oldest first. */
  access: z.array(accessChange),
  /** How far the audit log was shipped; undefined: never. */
  audit: auditPosition.optional(),
});
export type LedgerNotes = z.infer<typeof content>;

const label = 'ledger-notes';

/** The notes as they are stored: signed with the ledger's data key. */
export function formatNotes(key: DataKey, notes: LedgerNotes): string {
  return `${JSON.stringify(signContent(key, label, JSON.stringify(notes)))}\n`;
}

/**
 * What a restored database needs beyond the entries: given numbers and ended access. Kept beside the entries, where
 * 1.0.0 doesn't look. Null if absent. Throws LedgerConflict if changed or foreign, and what the place throws.
 */
export async function readNotes(
  target: Pick<LedgerTarget, 'readNotes'>,
  dataKeys: Pick<DataKeys, 'find'>,
): Promise<LedgerNotes | null> {
  const stored = await target.readNotes();
  if (stored === null) return null;
  const text = parseSigned(stored);
  const key = text === null ? null : await dataKeys.find(text.key);
  if (text !== null && key !== null && isSignedBy(key, label, text)) {
    const notes = parseJson(content, text.content);
    if (notes !== null) return notes;
  }
  throw new LedgerConflict(
    'The notes of the erasure ledger were changed, or belong to another database: look for them in the place’s own versions or copies, or move them away.',
  );
}
