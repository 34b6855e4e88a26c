import { type ReactNode, useState } from 'react';
import { Button, type ButtonProps } from './Button.tsx';
import { ChevronDown } from './Icon.tsx';
import { Popover } from './Popover.tsx';
import { SearchList } from './SearchList.tsx';

export interface ComboboxOption {
  id: number;
  label: string;
  /** Smaller, beside the label: a distance. */
  note?: string | undefined;
}

export interface ComboboxProps {
  /** On the button. */
  children: ReactNode;
  /** Names the button where its text does not. */
  label?: string;
  heading: string;
  searchLabel: string;
  options: readonly ComboboxOption[];
  /** The trimmed text that the options match; null while those for the typed text load. Enter then picks nothing. */
  optionsFor: string | null;
  /** Without a letter typed, Enter picks the first option: not where the order says nothing. */
  isFirstActive?: boolean;
  /** In the list's place: loading, nothing found, a failure. */
  message: string | null;
  onOpen: () => void;
  onSearch: (text: string) => void;
  onPick: (option: ComboboxOption) => void;
  variant?: ButtonProps['variant'];
  disabled?: boolean;
}

/** A button that opens a searchable list, above everything else. Escape and a press outside close it. */
export function Combobox({
  heading,
  label,
  children,
  variant = 'secondary',
  disabled,
  ...search
}: ComboboxProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover
      title={heading}
      isOpen={isOpen}
      onOpenChange={(wanted) => {
        setIsOpen(wanted);
        if (wanted) search.onOpen();
      }}
      trigger={
        <Button variant={variant} size="small" aria-label={label} disabled={disabled}>
          {children}
          <ChevronDown />
        </Button>
      }
    >
      {(close) => <Search {...search} onClose={close} />}
    </Popover>
  );
}

interface SearchProps extends Pick<
  ComboboxProps,
  'searchLabel' | 'options' | 'optionsFor' | 'isFirstActive' | 'message' | 'onSearch' | 'onPick'
> {
  onClose: () => void;
}

/** Lives while the panel is open. */
function Search({ searchLabel, options, optionsFor, isFirstActive = true, message, ...on }: SearchProps) {
  const [text, setText] = useState('');
  return (
    <SearchList
      label={searchLabel}
      text={text}
      onType={(typed) => {
        setText(typed);
        on.onSearch(typed);
      }}
      options={options}
      isCurrent={text.trim() === optionsFor}
      isFirstActive={isFirstActive}
      message={message}
      onPick={(option) => {
        on.onClose();
        on.onPick(option);
      }}
    />
  );
}
