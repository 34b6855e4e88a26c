import type { ComponentProps, KeyboardEvent } from 'react';
import { css, styled } from 'styled-components';
import { media, token } from '../theme/tokens.ts';
import { controlLook } from './Field.tsx';
import { VisuallyHidden } from './Section.tsx';

export interface SelectOption {
  value: string;
  label: string;
}

export interface SelectProps extends Omit<ComponentProps<'select'>, 'onChange'> {
  label: string;
  options: readonly SelectOption[];
  onChoose: (value: string) => void;
  /** The label is only for screen readers, where the context makes it clear to everyone else. */
  isLabelHidden?: boolean;
  /** A choice is saved at once, so that keys only move in the open list, and Enter chooses. */
  isSavedAtOnce?: boolean;
}

/** The browser's own list of a few choices, small enough for a bar of filters. */
export function Select({
  label,
  options,
  onChoose,
  isLabelHidden = false,
  isSavedAtOnce = false,
  className,
  ...select
}: SelectProps) {
  const List = isSavedAtOnce ? OpenedList : Native;
  return (
    <SmallLabel className={className}>
      {isLabelHidden ? <VisuallyHidden>{label}</VisuallyHidden> : <span>{label}</span>}
      <List
        {...select}
        {...(isSavedAtOnce ? { onKeyDown: openFirst } : {})}
        onChange={(event) => onChoose(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </List>
    </SmallLabel>
  );
}

/** A closed list takes its next choice at each arrow key and letter: it is opened instead, where browsers can. */
function openFirst(event: KeyboardEvent<HTMLSelectElement>): void {
  const { key, currentTarget: list, ctrlKey, altKey, metaKey } = event;
  const isChoice = /^(?:Arrow|Page|Home|End)/.test(key) || (key.length === 1 && key !== ' ');
  if (!isChoice || ctrlKey || altKey || metaKey) return;
  if (!CSS.supports('selector(:open)') || list.matches(':open')) return;
  event.preventDefault();
  list.showPicker();
}

/** A label over a control of a bar. */
export const SmallLabel = styled.label`
  display: grid;
  gap: 0.25rem;
  min-inline-size: 0;
  color: ${token.muted};
  font-size: 0.8125rem;
  font-weight: 600;
  line-height: 1.3;
`;

/** How the controls of a bar look: as a form's, but smaller. */
export const smallControl = css`
  ${controlLook}
  min-block-size: 2.5rem;
  padding: 0 0.75rem;
  border-radius: 8px;
  font-size: 0.9375rem;
  font-weight: 400;

  ${media.touch} {
    min-block-size: 2.75rem;
    /* iPhones zoom into a control with smaller text, and don't zoom out again. */
    font-size: 1rem;
  }
`;

const Native = styled.select`
  ${smallControl}
  padding-inline-end: 0.5rem;
  cursor: pointer;
`;

/**
 * Escape leaves the value where browsers know `base-select`. In a list of the system, it may take the marked choice.
 */
const OpenedList = styled(Native)`
  appearance: base-select;
  align-items: center;

  &::picker(select) {
    appearance: base-select;
    margin-block: 0.25rem;
    padding: 0.25rem;
    border: 1px solid ${token.line};
    border-radius: 8px;
    background: ${token.background};
    color: ${token.foreground};
  }

  & option {
    min-block-size: 2.25rem;
    padding: 0.25rem 0.5rem;
    border-radius: 4px;

    ${media.touch} {
      min-block-size: 2.75rem;
    }

    &:hover,
    &:focus {
      background: ${token.tint};
    }
  }
`;
