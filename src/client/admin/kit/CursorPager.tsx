import { styled } from 'styled-components';
import { Button, type ButtonProps } from '#client/ui/Button.tsx';
import { listCopy } from './copy.ts';
import type { CursorPages } from './useCursorPages.ts';

interface CursorPagerProps<Cursor> {
  /** Names it for screen readers. */
  label: string;
  pages: CursorPages<Cursor>;
  /** Where the older page begins; null on the last page. */
  next: Cursor | null;
  size?: ButtonProps['size'];
}

/** The buttons to newer and older rows. */
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
