import { useState } from 'react';
import { styled } from 'styled-components';
import { SmallLabel, smallControl } from './Select.tsx';

interface DayInputProps {
  label: string;
  /** `2026-05-31` */
  value: string | undefined;
  onChoose: (day: string | undefined) => void;
  isInvalid?: boolean;
  describedBy?: string | undefined;
}

/** A day of the calendar, for a bar. One that is half typed is none yet. */
export function DayInput({ label, value, onChoose, isInvalid = false, describedBy }: DayInputProps) {
  const [typed, setTyped] = useState(value ?? '');
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    setTyped(value ?? '');
  }
  return (
    <SmallLabel>
      <span>{label}</span>
      <SmallInput
        type="date"
        min="2020-01-01"
        max="2099-12-31"
        value={typed}
        aria-invalid={isInvalid ? true : undefined}
        aria-describedby={describedBy}
        onChange={(event) => {
          setTyped(event.target.value);
          if (event.target.validity.valid) onChoose(event.target.value || undefined);
        }}
      />
    </SmallLabel>
  );
}

/** An input of a bar. */
export const SmallInput = styled.input`
  ${smallControl}

  &[type='date'] {
    padding-inline: 0.5rem 0.375rem;
    font-size: 0.875rem;
  }
`;
