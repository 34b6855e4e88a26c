import { useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';

interface RowCheckboxProps {
  label: string;
  isChecked: boolean;
  /** Some of its rows are selected. */
  isPartly?: boolean;
  /** No rows are loaded. */
  isDisabled?: boolean;
  onCheck: (isChecked: boolean) => void;
}

/** A checkbox that fills its cell. Its label names the row. */
export function RowCheckbox({
  label,
  isChecked,
  isPartly = false,
  isDisabled = false,
  onCheck,
}: RowCheckboxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = isPartly;
  }, [isPartly]);
  return (
    <Target>
      <Box
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={isChecked}
        disabled={isDisabled}
        onChange={(event) => onCheck(event.target.checked)}
      />
    </Target>
  );
}

const Target = styled.label`
  display: grid;
  place-items: center;
  inline-size: 2rem;
  block-size: 2rem;

  ${media.touch} {
    inline-size: 2.75rem;
    block-size: 2.75rem;
  }

  cursor: pointer;
`;

const Box = styled.input`
  inline-size: 1.125rem;
  block-size: 1.125rem;
  accent-color: ${token.primary};
  cursor: pointer;

  &:disabled {
    cursor: default;
  }
`;
