import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { withdrawalWays } from '#shared/leads/suppression.ts';
import { ledgerKinds, type LedgerRow } from '#server/db/schema/index.ts';
import type { DataKey } from '#server/security/dataKeys.ts';
import { parseJson } from '#server/security/readBody.ts';

const hmac = z.string().regex(/^[0-9a-f]{64}$/);

/** An entry as it is shipped: a line of the file, or an object. Contains no contact details. */
export const ledgerEntry = z.strictObject({
  /** 1 for the first, without gaps. */
  sequence: z.number().int().positive(),
  id: z.uuid(),
  at: z.iso.datetime(),
  kind: z.enum(ledgerKinds),
  /** Keyed hashes, as in `suppressions`. */
  email: hmac.nullable(),
  phone: hmac.nullable(),
  /** Public ids of leads. */
  leads: z.array(z.uuid()),
  reason: z.string().nullable(),
  how: z.enum(withdrawalWays).nullable(),
  /** The data key of `mac`. */
  key: z.string(),
  mac: hmac,
});
export type LedgerEntry = z.infer<typeof ledgerEntry>;

/** Precedes the first entry. */
export const genesisMac = '0'.repeat(64);

/** Covers every field of an entry and, through the previous one's, all entries before it. */
export function entryMac(key: Buffer, previousMac: string, entry: Omit<LedgerEntry, 'mac'>): string {
  const { sequence, id, at, kind, email, phone, leads, reason, how, key: keyId } = entry;
  const text = JSON.stringify([previousMac, sequence, id, at, kind, email, phone, leads, reason, how, keyId]);
  return createHmac('sha256', key).update(text).digest('hex');
}

/** A text that is signed with the ledger's data key. It is a text, so that the HMAC covers exactly what was written. */
const signedText = z.object({ key: z.string(), mac: hmac, content: z.string() });
type SignedText = z.output<typeof signedText>;

/** `label` says what it is and separates these signatures from others under the same key. */
export function signContent({ id, key }: DataKey, label: string, content: string): SignedText {
  const mac = createHmac('sha256', key).update(`${label}\n${content}`).digest('hex');
  return { key: id, mac, content };
}

/** A signed text as it is stored; null for any other text. */
export function parseSigned(stored: string): SignedText | null {
  return parseJson(signedText, stored);
}

export function isSignedBy(key: DataKey, label: string, { mac, content }: SignedText): boolean {
  return timingSafeEqual(Buffer.from(signContent(key, label, content).mac), Buffer.from(mac));
}

/** An entry before it has a number. */
type Unnumbered = Omit<LedgerEntry, 'sequence' | 'key' | 'mac'>;

export function listUnnumbered(row: LedgerRow): Unnumbered {
  return {
    id: row.entryId,
    at: row.at.toISOString(),
    kind: row.kind,
    email: row.emailHmac,
    phone: row.phoneHmac,
    leads: row.leadPublicIds,
    reason: row.reason,
    how: row.how,
  };
}

/** The ledger and the database don't belong together. The message says what to do. */
export class LedgerConflict extends Error {
  override readonly name = 'LedgerConflict';
}

/** The place has another entry with this number. */
export function takenNumber(sequence: number): LedgerConflict {
  return new LedgerConflict(
    `The erasure ledger already has another entry ${sequence}: this database was restored and the ledger was not replayed, or two installations share it. Run npm run restore -- --replay-only.`,
  );
}

/** Where the ledger is kept, outside the database. */
export interface LedgerTarget {
  /**
   * Stores an entry durably. Does nothing if it is stored already. Throws LedgerConflict if the place has another entry
   * with this number or lacks the one before, and other errors if it can't be reached.
   */
  append: (entry: LedgerEntry, signal: AbortSignal) => Promise<void>;
  /** The entries from this number on, in no order, possibly with duplicates. Throws if the place can't be read. */
  read: (from: number) => Promise<LedgerEntry[]>;
  /** The text of the notes beside the entries (ledgerNotes.ts); null if there are none. Throws as `read` does. */
  readNotes: () => Promise<string | null>;
  /** Replaces the notes durably, or creates them. Throws if another process created them since they were read. */
  writeNotes: (text: string, given: { isFirst: boolean }) => Promise<void>;
  /** Stores a file beside the entries durably, and never overwrites one: returns the text of the one that is there, else null. */
  putOnce: (name: string, text: string) => Promise<string | null>;
}
