import { useCombobox, type UseComboboxState, type UseComboboxStateChangeOptions } from 'downshift';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { media, token } from '../theme/tokens.ts';
import { Button, type ButtonProps } from './Button.tsx';
import { ChevronDown } from './Icon.tsx';
import { onLight } from './Section.tsx';
import { smallControl } from './Select.tsx';

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
  /** In the list's place: loading, nothing found, a failure. */
  message: string | null;
  onOpen: () => void;
  onSearch: (text: string) => void;
  onPick: (option: ComboboxOption) => void;
  variant?: ButtonProps['variant'];
  disabled?: boolean;
}

const panelHeightMax = 352;
const panelWidth = 320;
const edge = 8;

/** A button that opens a searchable list, above everything else. Escape and a press outside close it. */
export function Combobox(props: ComboboxProps) {
  const { heading, variant = 'secondary' } = props;
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDialogElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const headingId = useId();
  useEffect(() => {
    if (isOpen) panel.current?.querySelector('input')?.focus();
  }, [isOpen]);

  function open(): void {
    if (button.current === null || panel.current === null) return;
    place(panel.current, button.current);
    panel.current.showPopover();
    props.onOpen();
  }

  function close(): void {
    panel.current?.hidePopover();
    button.current?.focus();
  }

  return (
    <>
      <Button
        ref={button}
        variant={variant}
        size="small"
        aria-label={props.label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        disabled={props.disabled}
        onClick={() => (isOpen ? panel.current?.hidePopover() : open())}
      >
        {props.children}
        <ChevronDown />
      </Button>
      <Panel
        ref={panel}
        popover="auto"
        aria-labelledby={headingId}
        onToggle={({ newState }) => setIsOpen(newState === 'open')}
      >
        {isOpen ? (
          <>
            <Heading id={headingId}>{heading}</Heading>
            <Search {...props} onClose={close} />
          </>
        ) : null}
      </Panel>
    </>
  );
}

interface SearchProps extends Pick<
  ComboboxProps,
  'searchLabel' | 'options' | 'optionsFor' | 'message' | 'onSearch' | 'onPick'
> {
  onClose: () => void;
}

/** Lives while the panel is open. Highlights the first option once those for a typed text are there. */
function Search({ searchLabel, options, optionsFor, message, onSearch, onPick, onClose }: SearchProps) {
  const combobox = useCombobox<ComboboxOption>({
    items: [...options],
    isOpen: true,
    selectedItem: null,
    itemToString: (option) => option?.label ?? '',
    stateReducer: (state, change) => reduce(state, change, optionsFor),
    onInputValueChange: ({ inputValue }) => onSearch(inputValue),
    onSelectedItemChange: ({ selectedItem }) => {
      if (selectedItem === null) return;
      onClose();
      onPick(selectedItem);
    },
  });
  const { getInputProps, getMenuProps, getItemProps, highlightedIndex, setHighlightedIndex } = combobox;
  const typed = combobox.inputValue.trim();
  const hasMatches = typed !== '' && typed === optionsFor && options.length > 0;
  useEffect(() => {
    if (hasMatches && highlightedIndex === -1) setHighlightedIndex(0);
  }, [hasMatches, highlightedIndex, setHighlightedIndex]);
  return (
    <>
      <SearchInput
        {...getInputProps({
          'aria-label': searchLabel,
          placeholder: searchLabel,
          onKeyDown: (event) => {
            // Tab then moves on from the button. Escape must not also close a drawer behind the panel.
            if (event.key === 'Escape') event.preventDefault();
            if (event.key === 'Escape' || event.key === 'Tab') onClose();
          },
        })}
      />
      <Message>{message}</Message>
      <OptionList {...getMenuProps({ 'aria-label': searchLabel })}>
        {options.map((option, index) => (
          <Option
            key={option.id}
            data-option=""
            $isHighlighted={index === highlightedIndex}
            {...getItemProps({ item: option, index })}
          >
            <span>{option.label}</span>
            {option.note === undefined ? null : <Note>{option.note}</Note>}
          </Option>
        ))}
      </OptionList>
    </>
  );
}

/**
 * The text stays as typed after a choice. Leaving the field picks nothing; leaving the list with the mouse keeps the
 * highlight. While the options are those for another text, no key highlights or picks one.
 */
function reduce(
  state: UseComboboxState<ComboboxOption>,
  { type, changes }: UseComboboxStateChangeOptions<ComboboxOption>,
  optionsFor: string | null,
): Partial<UseComboboxState<ComboboxOption>> {
  const { stateChangeTypes } = useCombobox;
  const isStale = state.inputValue.trim() !== optionsFor;
  if (type === stateChangeTypes.InputBlur || type === stateChangeTypes.MenuMouseLeave) return state;
  if (type === stateChangeTypes.InputKeyDownEnter && isStale) return state;
  if (type === stateChangeTypes.InputChange) return changes;
  return { ...changes, inputValue: state.inputValue, ...(isStale ? { highlightedIndex: -1 } : {}) };
}

/** Under the button, or above it where there is more space. Beside a drawer if there is room, to cover no text. */
function place(panel: HTMLElement, opener: HTMLElement): void {
  const button = opener.getBoundingClientRect();
  const drawer = opener.closest('[role=dialog], dialog')?.getBoundingClientRect();
  const besideDrawer = (drawer?.left ?? 0) - panelWidth - edge;
  const left = besideDrawer >= edge ? besideDrawer : button.left;
  const below = window.innerHeight - button.bottom - 2 * edge;
  const isBelow = below >= panelHeightMax || below >= button.top;
  const height = isBelow ? below : button.top - 2 * edge;
  panel.style.left = `${Math.max(edge, Math.min(left, window.innerWidth - panelWidth - edge))}px`;
  panel.style.top = isBelow ? `${button.bottom + 4}px` : 'auto';
  panel.style.bottom = isBelow ? 'auto' : `${window.innerHeight - button.top + 4}px`;
  panel.style.maxHeight = `${Math.min(panelHeightMax, height)}px`;
}

const Panel = styled.dialog`
  ${onLight}
  position: fixed;
  inset: auto;
  inline-size: ${panelWidth}px;
  max-inline-size: calc(100vw - ${2 * edge}px);
  padding: 0;
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  background: ${token.background};
  overflow: hidden;

  &:popover-open {
    display: flex;
    flex-direction: column;
  }
`;

const Heading = styled.h2`
  padding: 0.75rem 1rem 0.5rem;
  font-size: 0.875rem;
`;

const SearchInput = styled.input`
  ${smallControl}
  flex: none;
  inline-size: auto;
  margin: 0 0.75rem 0.5rem;
`;

const Message = styled.output`
  padding: 0.25rem 1rem 0.75rem;
  color: ${token.muted};
  font-size: 0.875rem;

  &:empty {
    display: none;
  }
`;

const OptionList = styled.ul`
  min-block-size: 0;
  border-block-start: 1px solid ${token.line};
  overflow-y: auto;
  overscroll-behavior: contain;

  &:empty {
    display: none;
  }
`;

const Option = styled.li<{ $isHighlighted: boolean }>`
  display: flex;
  align-items: baseline;
  justify-content: space-between;
  gap: 1rem;
  min-block-size: 2.5rem;

  ${media.touch} {
    min-block-size: 2.75rem;
  }

  padding: 0.5rem 1rem;
  background: ${({ $isHighlighted }) => ($isHighlighted ? token.tint : 'none')};
  color: var(--surface-text);
  font-size: 0.9375rem;
  line-height: 1.35;
  overflow-wrap: anywhere;
  cursor: pointer;
`;

const Note = styled.span`
  flex: none;
  color: var(--surface-muted);
  font-size: 0.8125rem;
  font-variant-numeric: tabular-nums;
`;
