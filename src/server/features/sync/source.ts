/** Records as they came, and what WordPress's numbers of pictures among them stand for. */
export interface RawPage {
  records: readonly unknown[];
  media: ReadonlyMap<number, string>;
}

/** Where clinics are read from, a page at a time, so that memory holds a few pages whatever the size. */
export interface Source {
  kind: 'wordpress' | 'file';
  /** Every page once. Throws SourceError; a source that ends without one has been read to its end. */
  pages: () => AsyncIterable<RawPage>;
  /** What picture addresses without a host belong to. */
  base: string | null;
  /** Whatever of these numbers is there, asked for anew. Null: can't be asked. */
  find: ((ids: readonly number[]) => Promise<RawPage>) | null;
  /** How many clinics the source said it has, once it has been read; null where it says nothing. */
  told: () => number | null;
  /** When a record was last changed; null where it doesn't say. */
  modifiedAt: (record: unknown) => Date | null;
}

/** The source can't be read, or isn't what it should be. `message` is a sentence for staff. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

/** More than there are clinics of any kind in the country: whatever gives more never ends. */
export const recordsMax = 2_000_000;
