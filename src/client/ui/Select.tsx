import type { ComponentProps } from 'react';
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
}

/** The browser's own list of a few choices, small enough for a bar of filters. */
export function Select({
  label,
  options,
  onChoose,
  isLabelHidden = false,
  className,
  ...select
}: SelectProps) {
  return (
    <SmallLabel className={className}>
      {isLabelHidden ? <VisuallyHidden>{label}</VisuallyHidden> : <span>{label}</span>}
      <Native {...select} onChange={(event) => onChoose(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Native>
    </SmallLabel>
  );
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
