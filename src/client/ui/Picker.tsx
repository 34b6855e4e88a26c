import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { token } from '../theme/tokens.ts';
import { Button, type ButtonProps } from './Button.tsx';
import { ChevronDown } from './Icon.tsx';
import { onLight } from './Section.tsx';
import { smallControl } from './Select.tsx';

export interface PickerOption {
  id: number;
  label: string;
  /** Beside the label, quieter: a distance. */
  note?: string | undefined;
}

export interface PickerProps {
  /** On the button. */
  children: ReactNode;
  /** Says what the choice is for, if the button's text doesn't. */
  label?: string;
  heading: string;
  searchLabel: string;
  options: readonly PickerOption[];
  /** Replaces the list: loading, nothing found, a failure. */
  message: string | null;
  onOpen: () => void;
  onSearch: (text: string) => void;
  onPick: (option: PickerOption) => void;
  variant?: ButtonProps['variant'];
  disabled?: boolean;
}

const panelHeightMax = 352;
const panelWidth = 320;
const edge = 8;

/** A button that opens a list to search and pick one from. It is above everything that scrolls or clips it; Esc and a press outside close it. */
export function Picker(props: PickerProps) {
  const { heading, searchLabel, options, message, variant = 'secondary' } = props;
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDialogElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const headingId = useId();
  useEffect(() => {
    if (isOpen) panel.current?.querySelector('input')?.focus();
  }, [isOpen]);

  function open(): void {
    if (button.current === null || panel.current === null) return;
    place(panel.current, button.current.getBoundingClientRect());
    panel.current.showPopover();
    props.onOpen();
  }

  function pick(option: PickerOption): void {
    panel.current?.hidePopover();
    button.current?.focus();
    props.onPick(option);
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
        onKeyDown={moveFocus}
      >
        {isOpen ? (
          <>
            <Heading id={headingId}>{heading}</Heading>
            <SearchInput
              type="search"
              aria-label={searchLabel}
              placeholder={searchLabel}
              autoComplete="off"
              onChange={(event) => props.onSearch(event.target.value)}
            />
            <Options options={options} message={message} onPick={pick} />
          </>
        ) : null}
      </Panel>
    </>
  );
}

interface OptionsProps extends Pick<PickerProps, 'options' | 'message' | 'onPick'> {}

function Options({ options, message, onPick }: OptionsProps) {
  return (
    <>
      <Message>{message}</Message>
      <OptionList>
        {options.map((option) => (
          <li key={option.id}>
            <Option type="button" data-option="" onClick={() => onPick(option)}>
              <span>{option.label}</span>
              {option.note === undefined ? null : <Note>{option.note}</Note>}
            </Option>
          </li>
        ))}
      </OptionList>
    </>
  );
}

/** Under the button, or above it where there is more room. */
function place(panel: HTMLElement, button: DOMRect): void {
  const below = window.innerHeight - button.bottom - 2 * edge;
  const isBelow = below >= panelHeightMax || below >= button.top;
  const room = isBelow ? below : button.top - 2 * edge;
  panel.style.left = `${Math.max(edge, Math.min(button.left, window.innerWidth - panelWidth - edge))}px`;
  panel.style.top = isBelow ? `${button.bottom + 4}px` : 'auto';
  panel.style.bottom = isBelow ? 'auto' : `${window.innerHeight - button.top + 4}px`;
  panel.style.maxHeight = `${Math.min(panelHeightMax, room)}px`;
}

/** Arrows go through the field and the options. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, [data-option]')];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  const next = stops[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

const Panel = styled.dialog`
  ${onLight}
  position: fixed;
  inset: auto;
  inline-size: ${panelWidth}px;
  max-inline-size: calc(100vw - ${2 * edge}px);
  margin: 0;
  padding: 0;
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  background: ${token.background};
  box-shadow: ${token.shadow};
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

const Option = styled.button`
  display: flex;
  align-items: baseline;
  justify-content: space-between;
  gap: 1rem;
  inline-size: 100%;
  min-block-size: 2.5rem;
  padding: 0.5rem 1rem;
  border: 0;
  background: none;
  color: var(--surface-text);
  font-size: 0.9375rem;
  line-height: 1.35;
  text-align: start;
  overflow-wrap: anywhere;
  cursor: pointer;

  &:hover {
    background: ${token.tint};
  }

  &:focus-visible {
    outline-offset: -3px;
  }
`;

const Note = styled.span`
  flex: none;
  color: var(--surface-muted);
  font-size: 0.8125rem;
  font-variant-numeric: tabular-nums;
`;
