import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { SmallTitle } from '#client/ui/SmallTitle.tsx';

interface NothingListedProps {
  /** There is nothing at all, nothing that the filter lets through, or nothing so far down the list. */
  kind: 'none' | 'filtered' | 'past';
  words: {
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
export function NothingListed({ kind, words, onClear, onFirstPage }: NothingListedProps) {
  const { title, text } = {
    none: { title: words.title, text: words.text },
    filtered: { title: words.filteredTitle, text: words.filteredText },
    past: { title: words.pastTitle, text: words.pastText },
  }[kind];
  return (
    <Place tabIndex={-1}>
      <SmallTitle as="h2">{title}</SmallTitle>
      <p>{text}</p>
      {kind === 'filtered' ? (
        <Button variant="secondary" size="small" onClick={onClear}>
          {words.clear}
        </Button>
      ) : null}
      {kind === 'past' ? (
        <Button variant="secondary" size="small" onClick={onFirstPage}>
          {words.first}
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
