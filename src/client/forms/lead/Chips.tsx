import { type KeyboardEvent, type SyntheticEvent, useRef } from 'react';
import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';

export interface ChipsProps {
  legend: string;
  name: string;
  options: readonly { value: string; label: string }[];
  /** The value that is chosen at first. */
  defaultValue?: string | undefined;
}

/** Native radio buttons that look like chips. With script, pressing the chosen one again clears it. */
export function Chips({ legend, name, options, defaultValue }: ChipsProps) {
  const before = useRef<HTMLInputElement | null>(null);

  function note({ currentTarget }: SyntheticEvent<HTMLFieldSetElement>): void {
    before.current = findChosen(currentTarget);
  }

  /** Clears the pressed one if it was chosen before. */
  function press(event: SyntheticEvent<HTMLFieldSetElement>): void {
    const { target } = event;
    if (target instanceof HTMLInputElement && target === before.current && target.checked) {
      target.checked = false;
      target.dispatchEvent(new Event('input', { bubbles: true }));
    }
    note(event);
  }

  /** Not every browser takes the space bar on a chosen radio button for a press. None shall press it again. */
  function pressByKey(event: KeyboardEvent<HTMLFieldSetElement>): void {
    if (event.key !== ' ' || event.target !== before.current) return;
    event.preventDefault();
    press(event);
  }

  return (
    <Group onPointerDown={note} onKeyDown={note} onKeyUp={pressByKey} onClick={press}>
      <Legend>{legend}</Legend>
      <Row>
        {options.map(({ value, label }) => (
          <Chip key={value}>
            <Radio type="radio" name={name} value={value} defaultChecked={value === defaultValue} />
            <Face>{label}</Face>
          </Chip>
        ))}
      </Row>
    </Group>
  );
}

function findChosen(group: HTMLFieldSetElement): HTMLInputElement | null {
  return group.querySelector<HTMLInputElement>('input:checked');
}

const Group = styled.fieldset`
  min-inline-size: 0;
`;

const Legend = styled.legend`
  margin-block-end: 0.375rem;
  padding: 0;
  color: var(--surface-text);
  font-size: 0.875rem;
  font-weight: 550;
  line-height: 1.4;
`;

const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem;
`;

const Chip = styled.label`
  position: relative;
  cursor: pointer;
`;

/** Lies over the chip, invisible, so that the whole chip is its target. */
const Radio = styled.input`
  position: absolute;
  inset: 0;
  inline-size: 100%;
  block-size: 100%;
  opacity: 0;
  cursor: pointer;
`;

const Face = styled.span`
  display: flex;
  align-items: center;
  min-block-size: 2.75rem;
  padding: 0.25rem 1rem;
  border: 1px solid ${token.inputLine};
  border-radius: ${token.pill};
  background: ${token.background};
  color: ${token.foreground};
  transition: border-color 0.2s;

  input:hover + & {
    border-color: ${token.secondary};
  }

  input:checked + & {
    border-color: ${token.primary};
    background: ${token.primary};
    color: #ffffff;
  }

  input:focus-visible + & {
    outline: 2px solid var(--focus);
    outline-offset: 2px;
  }

  @media (forced-colors: active) {
    input:checked + & {
      background: Highlight;
      color: HighlightText;
      forced-color-adjust: none;
    }
  }
`;
