import type { ComponentProps } from 'react';
import { styled } from 'styled-components';
import { controlLook, FieldError, FieldHint, FieldLabel, FieldWrapper } from './Field.tsx';

export interface TextAreaProps extends ComponentProps<'textarea'> {
  label: string;
  name: string;
  /** A line under the label that is always there. */
  hint?: string | undefined;
  /** The field's fault; announced when it appears. */
  error?: string | undefined;
}

/** A labelled field of several lines; it grows with what is typed where browsers can. Ids as in Field. */
export function TextArea({
  label,
  name,
  hint,
  error,
  id = `field-${name}`,
  className,
  ...input
}: TextAreaProps) {
  const hasError = error !== undefined && error !== '';
  const describedBy = [hint === undefined ? null : `${id}-hint`, hasError ? `${id}-error` : null]
    .filter((part) => part !== null)
    .join(' ');
  return (
    <FieldWrapper className={className}>
      <FieldLabel htmlFor={id}>{label}</FieldLabel>
      {hint === undefined ? null : <FieldHint id={`${id}-hint`}>{hint}</FieldHint>}
      <Lines
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

const Lines = styled.textarea`
  ${controlLook}
  min-block-size: 7.5rem;
  max-block-size: 24rem;
  padding: 0.75rem 1rem;
  line-height: 1.5;
  resize: vertical;
  field-sizing: content;
`;
