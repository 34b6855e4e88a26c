import type { ComponentProps } from 'react';
import { styled } from 'styled-components';
import { controlLook, describeControl, FieldFrame, type FieldTexts } from './Field.tsx';

export type TextAreaProps = FieldTexts & ComponentProps<'textarea'>;

/** A labeled field of several lines. It grows with its text where browsers support that. Ids as in Field. */
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
  ${controlLook}
  min-block-size: 7.5rem;
  max-block-size: 24rem;
  padding: 0.75rem 1rem;
  line-height: 1.5;
  resize: vertical;
  field-sizing: content;
`;
