import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { Check } from '#client/ui/Icon.tsx';

interface CheckListProps {
  items: readonly string[];
  /** Renders an item, which then has an element of its own. Default: its text. */
  render?: (item: string) => ReactNode;
  /** Names the list for screen readers. */
  label?: string;
  icon?: typeof Check;
  strokeWidth?: number;
  className?: string;
}

/** A list with an icon before each item. `--check-size` is the width of the icon. */
export function CheckList({
  items,
  render,
  label,
  icon: Icon = Check,
  strokeWidth = 2.25,
  className,
}: CheckListProps) {
  return (
    <List aria-label={label} className={className}>
      {items.map((item) => (
        <li key={item}>
          <Icon strokeWidth={strokeWidth} />
          {render === undefined ? item : <span>{render(item)}</span>}
        </li>
      ))}
    </List>
  );
}

const List = styled.ul`
  display: grid;

  & > li {
    display: grid;
    grid-template-columns: var(--check-size, 1.25rem) minmax(0, 1fr);
    gap: 0.75rem;
    line-height: 1.5;
  }

  & > li > svg {
    inline-size: var(--check-size, 1.25rem);
    block-size: 1.5rem;
  }
`;

/** A check list with a line above each item. */
export const RuledCheckList = styled(CheckList)`
  margin-block-start: 2rem;

  & > li {
    gap: 0.875rem;
    padding-block: 0.875rem;
    border-block-start: 1px solid var(--surface-line);
  }
`;
