import { useState } from 'react';
import { styled } from 'styled-components';
import { needsScripts, token } from '#client/theme/tokens.ts';
import { controlLook } from '#client/ui/Field.tsx';
import { VisuallyHidden } from '#client/ui/Section.tsx';
import { calculator } from '#shared/brand/landing.ts';
import { type Dimension, sliders } from '#shared/brand/measures.ts';
import { nearestOnGrid } from './sliderGrid.ts';

export interface MeasureProps {
  dimension: Dimension;
  value: number;
  /** Must stay the same function over renders. */
  onMove: (dimension: Dimension, value: number) => void;
}

/** The same value to type. It is taken once it is on the scale; what isn't goes when the field is left. */
export function ExactEntry({ dimension, value, onMove }: MeasureProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const { min, max, step } = sliders[dimension];
  return (
    <Label>
      <VisuallyHidden>{`${calculator.labels[dimension]}, `}</VisuallyHidden>
      {calculator.exact}
      <Entry
        type="number"
        inputMode="decimal"
        min={min}
        max={max}
        step={step}
        value={typed ?? value}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          const entered = currentTarget.valueAsNumber;
          if (entered >= min && entered <= max) onMove(dimension, nearestOnGrid(dimension, entered));
        }}
        onBlur={() => setTyped(null)}
      />
    </Label>
  );
}

const Label = styled.label`
  color: ${token.muted};
  font-size: 0.875rem;
  ${needsScripts}
`;

const Entry = styled.input`
  ${controlLook}
  inline-size: 5.5rem;
  min-block-size: 44px;
  margin-inline-start: 0.5rem;
  padding-inline: 0.75rem 0.25rem;
`;
