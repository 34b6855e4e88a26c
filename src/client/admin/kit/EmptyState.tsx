import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { SmallTitle } from '#client/ui/Section.tsx';
import { ActionButton } from './ActionButton.tsx';

/** No row at all, none that matches the filter, or none on a page past the end. */
export type EmptyKind = 'none' | 'filtered' | 'past';

interface EmptyCopy {
  title?: string;
  text: string;
  filteredTitle?: string;
  filteredText: string;
  pastTitle?: string;
  /** Only for lists with pages. */
  pastText?: string;
  /** The button of a filtered list, and of a page past the end; without a text there is none. */
  clear?: string;
  first?: string;
}

interface EmptyStateProps {
  kind: EmptyKind;
  copy: EmptyCopy;
  onClear?: () => void;
  onFirstPage?: () => void;
  /** Below the text of a list without any row. */
  children?: ReactNode;
}

/** The reason that a page has no rows. */
export function emptyKind(total: number, isFiltered: boolean): EmptyKind {
  if (total > 0) return 'past';
  return isFiltered ? 'filtered' : 'none';
}

/** Why a list has no rows, and what to do. */
export function EmptyState({ kind, copy, onClear, onFirstPage, children }: EmptyStateProps) {
  const { title, text, action, onPress } = {
    none: { title: copy.title, text: copy.text, action: undefined, onPress: undefined },
    filtered: { title: copy.filteredTitle, text: copy.filteredText, action: copy.clear, onPress: onClear },
    past: { title: copy.pastTitle, text: copy.pastText, action: copy.first, onPress: onFirstPage },
  }[kind];
  return (
    <Panel tabIndex={-1}>
      {title === undefined ? null : <SmallTitle as="h2">{title}</SmallTitle>}
      {text === undefined ? null : <p>{text}</p>}
      {kind === 'none' ? children : null}
      {action === undefined ? null : <ActionButton onClick={onPress}>{action}</ActionButton>}
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
