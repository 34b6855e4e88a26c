import type { ReactNode } from 'react';
import { css, styled } from 'styled-components';
import { media, noFocusRing, token } from '../theme/tokens.ts';
import { hiddenLook } from './Section.tsx';

/** A link with a line of its own, for fingers. */
export const touchTarget = `
  display: inline-block;
  align-content: center;
  min-inline-size: 2.75rem;
  min-block-size: 2.75rem;
`;

interface TableFrameProps {
  /** Names the table's part of the page. */
  label: string;
  isBusy?: boolean;
  children: ReactNode;
}

/** A table that the page scrolls; its head stays in view. Nothing scrolls sideways: tables stack where they are narrow. */
export function TableFrame({ label, isBusy = false, children }: TableFrameProps) {
  return (
    // Gets the focus after a button disappears.
    <Frame tabIndex={-1} aria-label={label} aria-busy={isBusy} data-table-frame="">
      {children}
    </Frame>
  );
}

const Frame = styled.section`
  container-type: inline-size;
  border-block: 1px solid ${token.line};
  background: ${token.background};
  ${noFocusRing}

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

  ${media.touch} {
    & :where(tbody a) {
      ${touchTarget}
    }
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

/** Rows that are grids, under a head that stays in view. */
export const gridRows = css`
  &,
  & tbody {
    display: block;
  }

  & thead {
    position: sticky;
    inset-block-start: 0;
    z-index: 1;
    display: block;
  }

  & tr {
    display: grid;
  }
`;

/** Of a row whose cells are below each other, a line of its own. */
export const wholeLine = 'grid-column: 1 / -1;';

/**
 * In a frame narrower than this, the cells of a row are side by side and below each other. Of
 * the headers, everyone gets the checkbox that selects every row and the buttons that sort; the others are for screen
 * readers.
 */
export const stackBelow = (inlineSize: string) => css`
  @container (width < ${inlineSize}) {
    &,
    & thead,
    & tbody,
    & thead th {
      display: block;
    }

    & thead th {
      padding-inline: 0.5rem;
    }

    & thead tr {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      background: ${token.tint};
    }

    & thead th:has(button) {
      border-block-end: 0;
    }

    /* All but the checkbox and the buttons. */
    & thead th:not(:has(input, button)) {
      ${hiddenLook}
    }

    & tbody tr {
      position: relative;
      display: grid;
      grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr));
      align-items: start;
      gap: 0.25rem 0.75rem;
      padding: 0.5rem;
      border-block-end: 1px solid ${token.line};
    }

    & tbody tr:last-child {
      border-block-end: 0;
    }

    & tbody :is(td, th) {
      inline-size: auto;
      min-inline-size: 0;
      block-size: auto;
      padding: 0;
      border-block-end: 0;
      overflow-wrap: anywhere;
    }

    & tbody td:has(> label > input[type='checkbox']) {
      position: absolute;
      inset: 0.25rem 0 auto auto;

      & + th {
        padding-inline-end: 2.5rem;
      }
    }

    & tbody :is(td, th):empty {
      display: none;
    }
  }

  @container (width < 30rem) {
    & tbody th {
      ${wholeLine}
    }
  }
`;

export const StackedTable = styled(Table)`
  ${stackBelow('45rem')}
`;
