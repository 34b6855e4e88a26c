import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { ActionButton } from './ActionButton.tsx';
import { listCopy } from './copy.ts';

interface PageFooterProps {
  /** 'Total: 1,204 leads' */
  total: string;
  /** Names the pager for screen readers. */
  label: string;
  page: number;
  pages: number;
  onPage: (page: number) => void;
  /** Between the total and the pager. */
  children?: ReactNode;
}

/** Under a page of a list: the total, the page number, and the buttons to the next pages. */
export function PageFooter({ total, label, page, pages, onPage, children }: PageFooterProps) {
  return (
    <Bar>
      <p>
        <output>{total}</output>
      </p>
      {children}
      <Pages aria-label={label}>
        <ActionButton
          disabled={page <= 1}
          // From a page past the end, this returns to the last page: the list may be shorter now.
          onClick={() => onPage(Math.min(page - 1, pages))}
        >
          {listCopy.previous}
        </ActionButton>
        <output>{listCopy.page(page, pages)}</output>
        <ActionButton disabled={page >= pages} onClick={() => onPage(page + 1)}>
          {listCopy.next}
        </ActionButton>
      </Pages>
    </Bar>
  );
}

const Bar = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0.5rem 1.5rem;
  color: ${token.muted};
  font-size: 0.9375rem;
  font-variant-numeric: tabular-nums;
`;

const Pages = styled.nav`
  display: flex;
  align-items: center;
  gap: 0.75rem;
`;
