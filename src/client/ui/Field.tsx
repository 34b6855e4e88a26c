import type { ComponentProps } from 'react';
import { css, styled } from 'styled-components';
import { token } from '../theme/tokens.ts';

export interface FieldProps extends ComponentProps<'input'> {
  label: string;
  name: string;
  /** A line under the label that is always there. */
  hint?: string | undefined;
  /** The field's fault; announced when it appears. */
  error?: string | undefined;
}

/**
 * One labelled input with its hint and error. Ids come from `id` (default `field-{name}`) and nothing else, so that a form drawn apart
 * from its page hydrates unchanged; give an `id` where two forms on a page share a field name.
 */
export function Field({ label, name, hint, error, id = `field-${name}`, className, ...input }: FieldProps) {
  const hasError = error !== undefined && error !== '';
  const describedBy = [hint === undefined ? null : `${id}-hint`, hasError ? `${id}-error` : null]
    .filter((part) => part !== null)
    .join(' ');
  return (
    <FieldWrapper className={className}>
      <FieldLabel htmlFor={id}>{label}</FieldLabel>
      {hint === undefined ? null : <FieldHint id={`${id}-hint`}>{hint}</FieldHint>}
      <Input
        id={id}
        name={name}
        aria-invalid={hasError ? true : undefined}
        aria-describedby={describedBy === '' ? undefined : describedBy}
        {...input}
      />
      <FieldError id={`${id}-error`} message={error} />
    </FieldWrapper>
  );
}

/** The place where a field's fault is shown. It is there from the start, because a live region announces only what changes in it. */
export function FieldError({ id, message }: { id: string; message: string | undefined }) {
  return (
    <ErrorText id={id} aria-live="polite">
      {message}
    </ErrorText>
  );
}

/** Label, hint and control of one field, for controls other than an input. */
export const FieldWrapper = styled.div`
  display: grid;
  align-content: start;
  gap: 0.375rem;
  min-inline-size: 0;
`;

export const FieldLabel = styled.label`
  color: var(--surface-text);
  font-weight: 600;
  line-height: 1.4;
`;

export const FieldHint = styled.p`
  color: var(--surface-muted);
  font-size: 0.9375rem;
  line-height: 1.4;
`;

/** How every control for text looks. */
export const controlLook = css`
  inline-size: 100%;
  border: 1.5px solid ${token.inputLine};
  border-radius: ${token.radius};
  background: ${token.background};
  color: ${token.foreground};
  font: inherit;
  font-size: ${token.textLarge};
  font-variant-numeric: tabular-nums;
  transition: border-color 0.2s;

  &::placeholder {
    color: ${token.muted};
    opacity: 1;
  }

  &:hover {
    border-color: ${token.secondary};
  }

  &:focus-visible {
    border-color: ${token.secondary};
    outline: 3px solid var(--focus);
    outline-offset: 1px;
  }

  &[aria-invalid='true'] {
    border-color: ${token.danger};
  }

  &:disabled {
    background: ${token.tint};
    color: ${token.muted};
  }
`;

const Input = styled.input`
  ${controlLook}
  min-block-size: 52px;
  padding: 0 1rem;
`;

const ErrorText = styled.p`
  color: var(--surface-danger);
  font-size: 0.9375rem;
  font-weight: 500;
  line-height: 1.4;

  &:empty {
    display: none;
  }
`;
