import type { ComponentProps, ReactNode } from 'react';
import { styled } from 'styled-components';
import { token } from '../theme/tokens.ts';
import { FieldError } from './Field.tsx';

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode;
  name: string;
  error?: string | undefined;
}

/** A native checkbox whose whole line, at least 44 px high, is its label. Ids as in Field. */
export function Checkbox({ label, name, error, id = `field-${name}`, className, ...input }: CheckboxProps) {
  const hasError = error !== undefined && error !== '';
  return (
    <div className={className}>
      <Line htmlFor={id}>
        <Box
          {...input}
          id={id}
          name={name}
          type="checkbox"
          aria-invalid={hasError ? true : undefined}
          aria-describedby={hasError ? `${id}-error` : undefined}
        />
        <span>{label}</span>
      </Line>
      <FieldError id={`${id}-error`} message={error} />
    </div>
  );
}

const Line = styled.label`
  display: grid;
  grid-template-columns: auto 1fr;
  gap: 0.75rem;
  align-items: start;
  min-block-size: 2.75rem;
  padding-block: 0.625rem;
  color: var(--surface-text);
  font-size: 0.9375rem;
  line-height: 1.6;
  text-wrap: pretty;
  cursor: pointer;
`;

const Box = styled.input`
  inline-size: 1.5rem;
  block-size: 1.5rem;
  accent-color: ${token.primary};
  cursor: pointer;

  &:focus-visible {
    border-radius: 4px;
    outline: 2px solid var(--focus);
    outline-offset: 2px;
  }
`;
