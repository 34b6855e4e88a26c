import { useState } from 'react';

export interface CursorPages<Cursor> {
  /** Where the page begins; undefined for the first. */
  before: Cursor | undefined;
  isFirst: boolean;
  toNewer: () => void;
  toOlder: (next: Cursor) => void;
  toFirst: () => void;
}

/** The pages of a list whose answer names where the next page begins. */
export function useCursorPages<Cursor extends string | number>(): CursorPages<Cursor> {
  /** The start of each page after the first, up to the one shown. */
  const [starts, setStarts] = useState<readonly Cursor[]>([]);
  return {
    before: starts.at(-1),
    isFirst: starts.length === 0,
    toNewer: () => setStarts(starts.slice(0, -1)),
    toOlder: (next) => setStarts([...starts, next]),
    toFirst: () => setStarts([]),
  };
}
