import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { SmallTitle } from '#client/ui/SmallTitle.tsx';

interface EmptyStateProps {
  /** There is nothing at all, nothing that the filter lets through, or nothing so far down the list. */
  kind: 'none' | 'filtered' | 'past';
  copy: {
    title: string;
    text: string;
    filteredTitle: string;
    filteredText: string;
    pastTitle: string;
    pastText: string;
    first: string;
    clear: string;
  };
  onClear: () => void;
  onFirstPage: () => void;
}

/** Why there is nothing to see, and what to do. */
export function EmptyState({ kind, copy, onClear, onFirstPage }: EmptyStateProps) {
  const { title, text } = {
    none: { title: copy.title, text: copy.text },
    filtered: { title: copy.filteredTitle, text: copy.filteredText },
    past: { title: copy.pastTitle, text: copy.pastText },
  }[kind];
  return (
    <Place tabIndex={-1}>
      <SmallTitle as="h2">{title}</SmallTitle>
      <p>{text}</p>
      {kind === 'filtered' ? (
        <Button variant="secondary" size="small" onClick={onClear}>
          {copy.clear}
        </Button>
      ) : null}
      {kind === 'past' ? (
        <Button variant="secondary" size="small" onClick={onFirstPage}>
          {copy.first}
        </Button>
      ) : null}
    </Place>
  );
}

const Place = styled.div`
  display: grid;
  justify-items: center;
  gap: 0.75rem;
  padding: 3.5rem 1.5rem;
  border: 1px dashed ${token.inputLine};
  border-radius: ${token.radius};
  color: ${token.muted};
  text-align: center;
`;
