import type { LedgerConfig } from '#server/config/ledger.ts';
import { openFileLedger } from './fileLedger.ts';
import { openObjectLedger } from './objectLedger.ts';
import type { LedgerEntry } from './ledgerEntry.ts';

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

export function openLedgerTarget(config: LedgerConfig): LedgerTarget {
  return config.kind === 'file' ? openFileLedger(config.path) : openObjectLedger(config);
}
