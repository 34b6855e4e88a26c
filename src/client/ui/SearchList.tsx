import { Autocomplete } from '@base-ui/react/autocomplete';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { media, token } from '../theme/tokens.ts';
import { Popover } from './Popover.tsx';
import { smallControl } from './Select.tsx';
import type { PressedButton } from './loadedOnPress.tsx';

export interface SearchOption {
  id: number | string;
  label: string;
  icon?: ReactNode;
  /** Smaller, beside the label: a distance. */
  note?: string | undefined;
  /** The heading above it and its neighbors of the same group. */
  group?: string;
}

interface SearchListProps<Option extends SearchOption> {
  /** Names the field and the list. */
  label: string;
  text: string;
  onType: (text: string) => void;
  options: readonly Option[];
  /** The options are those for the text. Else no key picks one. */
  isCurrent: boolean;
  /** Without a letter typed, Enter picks the first option. */
  isFirstActive: boolean;
  /** Enter that is pressed before the options are current picks the first of them: where a wrong pick changes nothing. */
  keepsEnter?: boolean;
  /** In the list's place: loading, nothing found, a failure. */
  message: string | null;
  onPick: (option: Option) => void;
}

/** A field and the options below it. The focus stays in the field; arrow keys go through the options. */
export function SearchList<Option extends SearchOption>(props: SearchListProps<Option>) {
  const {
    label,
    text,
    onType,
    options,
    isCurrent,
    isFirstActive,
    keepsEnter = false,
    message,
    onPick,
  } = props;
  const isEnterKept = useRef(false);
  const pickFirst = useEffectEvent(() => {
    if (isEnterKept.current && options[0] !== undefined) onPick(options[0]);
    isEnterKept.current = false;
  });
  useEffect(() => {
    if (isCurrent) pickFirst();
  }, [isCurrent]);
  return (
    <Autocomplete.Root<Option>
      inline
      open
      mode="none"
      items={options}
      value={text}
      onValueChange={(typed, { reason }) => {
        if (reason !== 'input-change') return;
        isEnterKept.current = false;
        onType(typed);
      }}
      autoHighlight={isCurrent && (isFirstActive || text.trim() !== '') ? 'always' : false}
      keepHighlight
    >
      <SearchInput
        aria-label={label}
        placeholder={label}
        onBlur={() => {
          isEnterKept.current = false;
        }}
        onKeyDown={(event) => {
          if (isCurrent || !pickingKeys.has(event.key)) return;
          event.preventDefault();
          event.preventBaseUIHandler();
          isEnterKept.current = keepsEnter && event.key === 'Enter';
        }}
      />
      <Message>{message}</Message>
      <OptionList aria-label={label} data-stale={isCurrent ? undefined : ''}>
        {groupOptions(options).map(({ label: group, members }) => (
          <OptionGroup key={group} label={group}>
            {members.map((option) => (
              <OptionRow key={option.id} option={option} onPick={onPick} />
            ))}
          </OptionGroup>
        ))}
      </OptionList>
    </Autocomplete.Root>
  );
}

export interface ComboboxOption {
  id: number;
  label: string;
  /** Smaller, beside the label: a distance. */
  note?: string | undefined;
}

export interface ComboboxPanelProps {
  trigger: PressedButton;
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
}

/** A button that opens a searchable list, above everything else. Escape and a press outside close it. */
export function ComboboxPanel({ heading, trigger, ...search }: ComboboxPanelProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover
      title={heading}
      isOpen={isOpen}
      onOpenChange={(wanted) => {
        setIsOpen(wanted);
        if (wanted) search.onOpen();
      }}
      trigger={trigger}
    >
      {(close) => <Search {...search} onClose={close} />}
    </Popover>
  );
}

interface SearchProps extends Pick<
  ComboboxPanelProps,
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

const pickingKeys: ReadonlySet<string> = new Set(['Enter', 'ArrowDown', 'ArrowUp']);

function groupOptions<Option extends SearchOption>(
  options: readonly Option[],
): { label: string | undefined; members: Option[] }[] {
  const labels = [...new Set(options.map(({ group }) => group))];
  return labels.map((label) => ({ label, members: options.filter(({ group }) => group === label) }));
}

function OptionGroup({ label, children }: { label: string | undefined; children: ReactNode }) {
  if (label === undefined) return children;
  return (
    <Autocomplete.Group>
      <GroupLabel>{label}</GroupLabel>
      {children}
    </Autocomplete.Group>
  );
}

interface OptionRowProps<Option extends SearchOption> {
  option: Option;
  onPick: (option: Option) => void;
}

function OptionRow<Option extends SearchOption>({ option, onPick }: OptionRowProps<Option>) {
  return (
    <OptionItem
      value={option}
      data-option=""
      onClick={() => onPick(option)}
      render={(item, { highlighted }) => <div {...item} aria-selected={highlighted} />}
    >
      {option.icon}
      <span>{option.label}</span>
      {option.note === undefined ? null : <Note>{option.note}</Note>}
    </OptionItem>
  );
}

const SearchInput = styled(Autocomplete.Input)`
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

const OptionList = styled(Autocomplete.List)`
  min-block-size: 0;
  border-block-start: 1px solid ${token.line};
  overflow-y: auto;
  overscroll-behavior: contain;

  &:focus-visible {
    outline: none;
  }

  &:empty {
    display: none;
  }
`;

const GroupLabel = styled(Autocomplete.GroupLabel)`
  padding: 0.5rem 1rem 0.125rem;
  color: ${token.muted};
  font-size: 0.8125rem;
  font-weight: 600;
`;

const OptionItem = styled(Autocomplete.Item)`
  display: flex;
  align-items: baseline;
  gap: 1rem;
  min-block-size: 2.5rem;
  padding: 0.5rem 1rem;
  color: var(--surface-text);
  font-size: 0.9375rem;
  line-height: 1.35;
  overflow-wrap: anywhere;
  cursor: pointer;

  ${media.touch} {
    min-block-size: 2.75rem;
  }

  &[data-highlighted] {
    background: ${token.tint};
  }

  [data-stale] > & {
    background: none;
  }

  & > svg {
    flex: none;
    align-self: center;
    inline-size: 1rem;
    block-size: 1rem;
    color: ${token.muted};
  }
`;

const Note = styled.span`
  flex: none;
  margin-inline-start: auto;
  color: var(--surface-muted);
  font-size: 0.8125rem;
  font-variant-numeric: tabular-nums;
`;
