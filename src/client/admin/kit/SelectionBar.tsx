import { type ReactNode, useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { X } from '#client/ui/Icon.tsx';
import { IconButton } from '#client/ui/Button.tsx';

interface SelectionBarProps {
  /** Names it for screen readers. */
  label: string;
  /** '3 selected'; empty without a selection. */
  count: string;
  /** Beside the count. */
  beside?: ReactNode;
  /** The button that clears the selection; left out, the caller renders one. */
  clearLabel?: string;
  onClear?: () => void;
  /** The buttons while rows are selected. */
  children?: ReactNode;
}

/** The actions for the selected rows. It is below the list, so no row moves when the first one is selected. */
export function SelectionBar({ label, count, beside, clearLabel, onClear, children }: SelectionBarProps) {
  const bar = useRef<HTMLElement>(null);
  const focused = useRef<Element | null>(null);
  // A pressed button that disappears leaves its focus to the bar, if rows are still selected.
  useEffect(() => {
    if (focused.current?.isConnected !== false) return;
    focused.current = null;
    if (document.activeElement === document.body) bar.current?.focus({ preventScroll: true });
  });
  return (
    <Bar
      ref={bar}
      tabIndex={-1}
      aria-label={label}
      data-bottom-bar=""
      onFocus={({ target }) => {
        focused.current = target;
      }}
      // React reports no blur of an element that it removes.
      onBlur={() => {
        focused.current = null;
      }}
    >
      <Count>{count}</Count>
      {beside}
      {clearLabel === undefined || count === '' ? null : (
        <Clear type="button" aria-label={clearLabel} title={clearLabel} onClick={onClear}>
          <X />
        </Clear>
      )}
      {children}
    </Bar>
  );
}

const Bar = styled.section`
  position: sticky;
  inset-block-end: calc(0.75rem + var(--tab-bar, 0rem));
  z-index: 2;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0 0.25rem;
  min-block-size: 3rem;
  padding: 0.25rem 0.5rem;
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  background: ${token.tint};

  /* On a phone, the count and the buttons take a line each. */
  & button {
    padding-inline: 0.375rem;
    font-size: 0.8125rem;
  }

  ${media.tablet} {
    gap: 0.5rem;
    padding: 0.5rem 0.75rem;

    & button {
      padding-inline: 0.75rem;
      font-size: 0.875rem;
    }
  }

  /* The live region is always present, and the bar has no size without a selection. */
  &:has(> output:first-child:empty) {
    display: contents;
  }
`;

/** On a phone it fills the line of the count, so that the buttons have the second line. */
const Clear = styled(IconButton)`
  && {
    padding: 0;
  }

  inline-size: 2rem;
  block-size: 2rem;

  ${media.touch} {
    inline-size: 2.75rem;
    block-size: 2.75rem;
  }

  margin-inline: auto 0;

  ${media.tablet} {
    margin-inline: -0.5rem 0.5rem;
  }
`;

const Count = styled.output`
  margin-inline-end: 0.25rem;
  color: ${token.primary};
  font-size: 0.9375rem;
  font-variant-numeric: tabular-nums;
  font-weight: 600;

  &:empty {
    position: absolute;
  }
`;
