import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';

interface SelectionBarProps {
  /** Names it to who hears it. */
  label: string;
  /** '3 selected'; empty where nothing is. */
  count: string;
  /** The buttons, while something is selected. */
  children?: ReactNode;
}

/** What can be done to the rows that are selected: at the foot, so that no row moves when the first is ticked. */
export function SelectionBar({ label, count, children }: SelectionBarProps) {
  return (
    <Bar aria-label={label}>
      <Count>{count}</Count>
      {children}
    </Bar>
  );
}

const Bar = styled.section`
  position: sticky;
  inset-block-end: 0.75rem;
  z-index: 2;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.5rem;
  min-block-size: 3rem;
  padding: 0.5rem 0.75rem;
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  background: ${token.tint};
  box-shadow: ${token.shadow};

  /* Its line is announced from the start, and takes no room until there is one. */
  &:has(> output:first-child:empty) {
    display: contents;
  }
`;

const Count = styled.output`
  margin-inline-end: 0.5rem;
  color: ${token.primary};
  font-size: 0.9375rem;
  font-variant-numeric: tabular-nums;
  font-weight: 600;

  &:empty {
    position: absolute;
  }
`;
