import type { ReactNode } from 'react';
import { css, keyframes, styled } from 'styled-components';
import { media, token } from '../theme/tokens.ts';

interface TableFrameProps {
  /** Names the part that scrolls, for who reaches it by keyboard. */
  label: string;
  isBusy?: boolean;
  /** A bar at the bottom of the screen covers the last rows: they can be scrolled above it. */
  hasBar?: boolean;
  /** In a container of at least 62rem, the page scrolls the rows. Below, it scrolls sideways only. */
  isPageScrolled?: boolean | undefined;
  children: ReactNode;
}

/** A table as wide as it needs inside a page that never scrolls sideways; its head stays in view. */
export function TableFrame({
  label,
  isBusy = false,
  hasBar = false,
  isPageScrolled = false,
  children,
}: TableFrameProps) {
  const Scroller = isPageScrolled ? SidewaysFrame : Frame;
  return (
    // Focusable, so that the keyboard can scroll it.
    <Scroller tabIndex={0} aria-label={label} aria-busy={isBusy} data-table-frame="" $hasBar={hasBar}>
      {children}
    </Scroller>
  );
}

/** On a phone, the bar's buttons have two lines. */
const barSpace = { phone: '9rem', tablet: '4.5rem' } as const;

const edge = keyframes`
  from,
  99% {
    border-inline-end-color: ${token.ink};
  }
`;

/** The right edge is dark while there are columns beyond it. Elsewhere it is as fine as the others. */
const darkEdge = css`
  @supports (animation-timeline: scroll(self inline)) {
    border-inline-end-width: 3px;
    animation: ${edge} auto linear;
    animation-timeline: scroll(self inline);
  }
`;

const Frame = styled.section<{ $hasBar: boolean }>`
  position: relative;
  max-block-size: max(26rem, calc(100dvh - 9rem));
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  ${darkEdge}
  background: ${token.background};
  overflow: auto;
  overscroll-behavior-inline: contain;
  --bar-space: ${({ $hasBar }) => ($hasBar ? barSpace.phone : '0px')};
  padding-block-end: var(--bar-space);
  /* What gets the focus is never under the head or the bar. */
  scroll-padding-block: 2.5rem var(--bar-space);

  ${media.tablet} {
    --bar-space: ${({ $hasBar }) => ($hasBar ? barSpace.tablet : '0px')};
  }

  @media print {
    max-block-size: none;
    overflow: visible;
  }
`;

const SidewaysFrame = styled(Frame)`
  --bar-space: 0px;
  max-block-size: none;
  border-inline-start: 0;
  border-radius: 0;

  ${media.tablet} {
    --bar-space: 0px;
  }

  @container (min-width: 62rem) {
    border-inline-end: 0;
    overflow: visible;
    animation: none;
  }

  /* What gets the focus isn't under the head. */
  & tbody :is(a, button, input, label, tr) {
    scroll-margin-block-start: 2.5rem;
  }
`;

/** Dense, with tabular figures. */
export const Table = styled.table`
  inline-size: 100%;
  border-collapse: separate;
  border-spacing: 0;
  font-size: 0.9375rem;
  font-variant-numeric: tabular-nums;
  line-height: 1.35;

  & th,
  & td {
    padding: 0.5rem 0.375rem;
    border-block-end: 1px solid ${token.line};
    text-align: start;
    vertical-align: middle;
  }

  & [data-align='end'] {
    text-align: end;
  }

  ${media.desktop} {
    & th,
    & td {
      padding-inline: 0.75rem;
    }
  }

  & thead th {
    position: sticky;
    inset-block-start: 0;
    z-index: 1;
    background: ${token.tint};
    color: ${token.muted};
    font-size: 0.8125rem;
    font-weight: 600;
    white-space: nowrap;
  }

  & tbody th {
    font-weight: 400;
  }

  & tbody td,
  & tbody th {
    block-size: 3.25rem;
  }

  & tbody tr:last-child > * {
    border-block-end: 0;
  }

  & tbody tr:hover > *,
  & tbody tr:focus-within > * {
    background: color-mix(in srgb, ${token.tint} 60%, #ffffff);
  }

  & tbody tr[aria-selected='true'] > *,
  & tbody tr[data-chosen] > * {
    background: ${token.tint};
  }
`;

/**
 * On a phone, a row is a block with one cell below the other. Of the headers, everyone gets the checkbox that selects
 * every row and the buttons that sort; the others are for screen readers.
 */
export const StackedTable = styled(Table)`
  @media (max-width: 47.98em) {
    &,
    & thead,
    & tbody,
    & tr,
    & tbody td,
    & tbody th {
      display: block;
    }

    & thead th {
      display: block;
      padding-inline: 0.5rem;
    }

    & thead tr {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      background: ${token.tint};
    }

    & button {
      min-block-size: 2.75rem;
    }

    & thead th:has(button) {
      border-block-end: 0;
    }

    /* All but the checkbox and the buttons. */
    & thead th:not(:has(input, button)) {
      position: absolute;
      inline-size: 1px;
      block-size: 1px;
      padding: 0;
      overflow: hidden;
      clip-path: inset(50%);
    }

    & tbody td:has(> label > input[type='checkbox']) {
      float: inline-end;
    }

    & tbody tr {
      padding: 0.5rem 0.75rem;
      border-block-end: 1px solid ${token.line};
    }

    & tbody tr:last-child {
      border-block-end: 0;
    }

    & tbody td,
    & tbody th {
      block-size: auto;
      padding: 0.125rem 0;
      border-block-end: 0;
      overflow-wrap: anywhere;
    }

    & tbody :is(td, th):empty {
      display: none;
    }
  }
`;
