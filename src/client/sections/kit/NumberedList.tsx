import { styled } from 'styled-components';

/** Numbered steps with a line above each. */
export function NumberedList({ items, className }: { items: readonly string[]; className?: string }) {
  return (
    <List className={className}>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </List>
  );
}

const List = styled.ol`
  counter-reset: step;

  & > li {
    display: grid;
    grid-template-columns: 2rem minmax(0, 1fr);
    padding-block: 0.875rem;
    border-block-start: 1px solid var(--surface-line);
    counter-increment: step;
    line-height: 1.5;
  }

  & > li::before {
    color: var(--surface-accent);
    content: counter(step);
    font-variant-numeric: tabular-nums;
    font-weight: 700;
  }
`;
