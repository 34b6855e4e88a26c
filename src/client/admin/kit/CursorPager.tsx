import { useState } from 'react';
import { styled } from 'styled-components';
import { Button, type ButtonProps } from '#client/ui/Button.tsx';
import { listCopy } from './copy.ts';

interface CursorPages<Cursor> {
  /** The cursor of the page; undefined for the first. */
  before: Cursor | undefined;
  isFirst: boolean;
  toNewer: () => void;
  toOlder: (next: Cursor) => void;
  toFirst: () => void;
}

/** The pages of a list whose response contains the cursor of the next page. */
export function useCursorPages<Cursor extends string | number>(): CursorPages<Cursor> {
  /** The cursor of each page after the first, up to the current one. */
  const [starts, setStarts] = useState<readonly Cursor[]>([]);
  return {
    before: starts.at(-1),
    isFirst: starts.length === 0,
    toNewer: () => setStarts(starts.slice(0, -1)),
    toOlder: (next) => setStarts([...starts, next]),
    toFirst: () => setStarts([]),
  };
}

interface CursorPagerProps<Cursor> {
  /** Names it for screen readers. */
  label: string;
  pages: CursorPages<Cursor>;
  /** The cursor of the older page; null on the last page. */
  next: Cursor | null;
  size?: ButtonProps['size'];
}

export function CursorPager<Cursor>({ label, pages, next, size }: CursorPagerProps<Cursor>) {
  const button = { variant: 'secondary', ...(size === undefined ? {} : { size }) } as const;
  return (
    <Bar aria-label={label}>
      <Button {...button} disabled={pages.isFirst} onClick={pages.toNewer}>
        {listCopy.newer}
      </Button>
      <Button
        {...button}
        disabled={next === null}
        onClick={() => (next === null ? undefined : pages.toOlder(next))}
      >
        {listCopy.older}
      </Button>
    </Bar>
  );
}

const Bar = styled.nav`
  display: flex;
  justify-content: space-between;
`;
