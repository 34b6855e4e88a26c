import type { SyncedColumn } from '#shared/providers/providerFieldLists.ts';

/** A row of a file that can't be read, in place of its record. */
export class UnreadableRow {
  readonly reason: string;
  /** Its id, if that can be read. */
  readonly wordpressId: number | null;

  constructor(reason: string, wordpressId: number | null) {
    this.reason = reason;
    this.wordpressId = wordpressId;
  }
}

/** Records as received, with the URLs of WordPress image ids among them. */
export interface RawPage {
  records: readonly unknown[];
  media: ReadonlyMap<number, string>;
  /** For each record, columns in which it says what is stored, in another spelling: the stored one stays. */
  kept?: readonly (readonly SyncedColumn[])[];
  /** For each record, its line in the file, if people read the reasons beside it; null: its reason says so itself. */
  lines?: readonly (number | null)[];
}

/** A source of providers, read page by page, so that memory contains a few pages of any source. */
export interface Source {
  kind: 'wordpress' | 'file';
  /** Every page once. Throws SourceError. A source that ends without it was read completely. */
  pages: () => AsyncIterable<RawPage>;
  /** The site of image URLs without a host. */
  base: string | null;
  /** Requests the existing ones of these ids again. Null: not supported. */
  find: ((ids: readonly number[]) => Promise<RawPage>) | null;
  /** The number of providers that the source reported, after reading it; null if it reports none. */
  expectedTotal: () => number | null;
  /**
   * Columns that a CSV file doesn't have, after reading its first page: their values stay. Its records are flat texts by
   * column. Undefined: the records are complete.
   */
  keptColumns?: () => readonly SyncedColumn[] | undefined;
  /** When a record was last changed; null if it does not say. */
  modifiedAt: (record: unknown) => Date | null;
  /** What staff should know of it, after reading it. */
  notes?: () => readonly string[];
}

/** The source cannot be read or is invalid. `message` is for staff. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

/** More than there are clinics of any kind in the country: a source with more never ends. */
export const recordsMax = 2_000_000;

/** A guard stops the run. `message` is for staff; nothing has been changed. */
export class RunRefused extends Error {
  override readonly name = 'RunRefused';
}
