import type { ComponentProps, ReactNode } from 'react';
import { css, styled } from 'styled-components';
import { token } from '../theme/tokens.ts';

/** What every labeled field takes besides the attributes of its control. */
interface FieldTexts {
  label: string;
  name: string;
  /** A line below the label that is always there. */
  hint?: string | undefined;
  /** The field's error; announced when it appears. */
  error?: string | undefined;
}

export type FieldProps = FieldTexts & ComponentProps<'input'>;

/**
 * One labeled input with its hint and error. Ids come from `id` (default `field-{name}`) and nothing else, so that a
 * form rendered without its page hydrates unchanged. Set `id` if two forms on a page share a field name.
 */
export function Field({ label, name, hint, error, id = `field-${name}`, className, ...input }: FieldProps) {
  const frame = { label, hint, error, id, className };
  return (
    <FieldFrame {...frame}>
      <Input {...describeControl(frame)} name={name} {...input} />
    </FieldFrame>
  );
}

interface FieldFrameProps extends Omit<FieldTexts, 'name'> {
  id: string;
  className: string | undefined;
}

/** The label, the hint and the error around a control. The control needs `describeControl`. */
export function FieldFrame({
  label,
  hint,
  error,
  id,
  className,
  children,
}: FieldFrameProps & { children: ReactNode }) {
  return (
    <FieldWrapper className={className}>
      <FieldLabel htmlFor={id}>{label}</FieldLabel>
      {hint === undefined ? null : <FieldHint id={`${id}-hint`}>{hint}</FieldHint>}
      {children}
      <FieldError id={`${id}-error`} message={error} />
    </FieldWrapper>
  );
}

/** Connects a control to the hint and the error of its frame. */
export function describeControl({ id, hint, error }: Pick<FieldFrameProps, 'id' | 'hint' | 'error'>) {
  const hasError = error !== undefined && error !== '';
  const describedBy = [hint === undefined ? null : `${id}-hint`, hasError ? `${id}-error` : null]
    .filter((part) => part !== null)
    .join(' ');
  return {
    id,
    'aria-invalid': hasError ? true : undefined,
    'aria-describedby': describedBy === '' ? undefined : describedBy,
  } as const;
}

/** Shows a field's error. Rendered from the start, because a live region only announces changes. */
export function FieldError({ id, message }: { id: string; message: string | undefined }) {
  return (
    <ErrorText id={id} aria-live="polite">
      {message}
    </ErrorText>
  );
}

/** Label, hint and control of one field, for controls other than an input. */
const FieldWrapper = styled.div`
  display: grid;
  align-content: start;
  gap: 0.375rem;
  min-inline-size: 0;
`;

const FieldLabel = styled.label`
  color: var(--surface-text);
  font-size: 0.875rem;
  font-weight: 550;
  line-height: 1.4;
`;

export const FieldHint = styled.p`
  color: var(--surface-muted);
  font-size: 0.875rem;
  line-height: 1.4;
`;

/** How every control for text looks. */
export const controlLook = css`
  /* Label, a hint of two lines, and the message stay in view beside a control that gets the focus. */
  scroll-margin-block: 4.75rem 2.25rem;
  inline-size: 100%;
  border: 1px solid ${token.inputLine};
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
    outline: 2px solid var(--focus);
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

/** How every control for several lines looks. */
export const linesLook = css`
  ${controlLook}
  padding: 0.75rem 1rem;
  line-height: 1.5;
  resize: vertical;
`;

const Input = styled.input`
  ${controlLook}
  min-block-size: 52px;
  padding: 0 0.875rem;
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

type TextAreaProps = FieldTexts & ComponentProps<'textarea'>;

/** A labeled field of several lines. It grows with its text if the browser supports that. Ids as in Field. */
export function TextArea({
  label,
  name,
  hint,
  error,
  id = `field-${name}`,
  className,
  ...input
}: TextAreaProps) {
  const frame = { label, hint, error, id, className };
  return (
    <FieldFrame {...frame}>
      <Lines {...describeControl(frame)} name={name} {...input} />
    </FieldFrame>
  );
}

const Lines = styled.textarea`
  ${linesLook}
  min-block-size: 7.5rem;
  max-block-size: 24rem;
  field-sizing: content;
`;
