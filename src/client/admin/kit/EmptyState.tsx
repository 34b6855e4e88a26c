import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { SmallTitle } from '#client/ui/SmallTitle.tsx';

/** No row at all, none that matches the filter, or none on a page past the end. */
export type EmptyKind = 'none' | 'filtered' | 'past';

interface EmptyCopy {
  title?: string;
  text: string;
  filteredTitle?: string;
  filteredText: string;
  pastTitle?: string;
  pastText: string;
  /** The buttons of the two; without a text there is none. */
  clear?: string;
  first?: string;
}

interface EmptyStateProps {
  kind: EmptyKind;
  copy: EmptyCopy;
  onClear?: () => void;
  onFirstPage?: () => void;
}

/** Why a page without rows has none. */
export function emptyKind(total: number, isFiltered: boolean): EmptyKind {
  if (total > 0) return 'past';
  return isFiltered ? 'filtered' : 'none';
}

/** Why there is no row, and what to do. */
export function EmptyState({ kind, copy, onClear, onFirstPage }: EmptyStateProps) {
  const { title, text, action, onPress } = {
    none: { title: copy.title, text: copy.text, action: undefined, onPress: undefined },
    filtered: { title: copy.filteredTitle, text: copy.filteredText, action: copy.clear, onPress: onClear },
    past: { title: copy.pastTitle, text: copy.pastText, action: copy.first, onPress: onFirstPage },
  }[kind];
  return (
    <Panel tabIndex={-1}>
      {title === undefined ? null : <SmallTitle as="h2">{title}</SmallTitle>}
      <p>{text}</p>
      {action === undefined ? null : (
        <Button variant="secondary" size="small" onClick={onPress}>
          {action}
        </Button>
      )}
    </Panel>
  );
}

const Panel = styled.div`
  display: grid;
  justify-items: center;
  gap: 0.75rem;
  padding: 3.5rem 1.5rem;
  border: 1px dashed ${token.inputLine};
  border-radius: ${token.radius};
  color: ${token.muted};
  text-align: center;
`;
