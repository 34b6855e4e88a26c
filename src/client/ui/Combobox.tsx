import type { ReactNode } from 'react';
import { Button, type ButtonProps } from './Button.tsx';
import { ChevronDown } from './Icon.tsx';
import { loadedOnPress } from './loadedOnPress.tsx';
import type { ComboboxPanelProps } from './SearchList.tsx';

export type { ComboboxOption } from './SearchList.tsx';

interface ComboboxProps extends Omit<ComboboxPanelProps, 'trigger'> {
  /** On the button. */
  children: ReactNode;
  /** Names the button where its text does not. */
  label?: string;
  variant?: ButtonProps['variant'];
  disabled?: boolean;
}

const Panel = loadedOnPress('dialog', async () => (await import('./SearchList.tsx')).ComboboxPanel);

/** A button that opens a searchable list, whose code is loaded when it is first needed. */
export function Combobox({ label, children, variant = 'secondary', disabled, ...list }: ComboboxProps) {
  return (
    <Panel
      {...list}
      trigger={
        <Button variant={variant} size="small" aria-label={label} disabled={disabled}>
          {children}
          <ChevronDown />
        </Button>
      }
    />
  );
}
