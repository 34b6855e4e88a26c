import { type RefObject, useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { useSettled } from '#client/admin/kit/listHooks.ts';
import { Popover } from '#client/ui/Popover.tsx';
import type { PressedButton } from '#client/ui/loadedOnPress.tsx';
import { SearchList, type SearchOption } from '#client/ui/SearchList.tsx';
import { leadCopy, leadFilterCopy as copy } from '#shared/admin/leadCopy.ts';
import { type FilterChoice, listFilterChoices } from './filterChoices.ts';
import { DayInputs, type FilterFields } from './FilterDays.tsx';
import { useProviderSearch } from './LeadPicker.tsx';

const provider = 'provider';
const days = 'days';

interface Option extends SearchOption {
  /** The filter that it opens. */
  opens?: string;
  /** The choice that it makes. */
  choose?: () => void;
}

interface FilterPanelProps extends FilterFields {
  trigger: PressedButton;
}

/** The list of filters. Each opens its choices; typing finds the choices of all. */
export function FilterPanel({ trigger, ...fields }: FilterPanelProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [opened, setOpened] = useState<string | null>(null);
  const choices = listFilterChoices(fields.filter);
  return (
    <Popover
      title={getTitle(choices, opened)}
      isOpen={isOpen}
      onOpenChange={(wanted) => {
        setIsOpen(wanted);
        setOpened(null);
      }}
      trigger={trigger}
    >
      {(close) =>
        opened === days ? (
          <Days {...fields} />
        ) : (
          <Choices {...fields} choices={choices} opened={opened} onOpen={setOpened} onClose={close} />
        )
      }
    </Popover>
  );
}

function getTitle(choices: readonly FilterChoice[], opened: string | null): string {
  if (opened === provider) return leadCopy.pick.heading;
  if (opened === days) return copy.days;
  return choices.find(({ key }) => key === opened)?.label ?? copy.add;
}

interface ChoicesProps extends FilterFields {
  choices: readonly FilterChoice[];
  opened: string | null;
  onOpen: (key: string | null) => void;
  onClose: () => void;
}

/** The field keeps the focus from one list to the next. Backspace in the empty field goes back. */
function Choices({ choices, opened, onOpen, onClose, onChange, onProvider }: ChoicesProps) {
  const [text, setText] = useState('');
  const settled = useSettled(text);
  const { found, isSearching } = useProviderSearch(opened === provider && text !== '' ? settled : '');
  const wanted = text.trim().toLowerCase();
  const isCurrent = opened !== provider || wanted === '' || (!isSearching && settled === text);

  function listOptions(): Option[] {
    if (opened === provider) {
      if (wanted === '') return [{ id: 0, label: copy.pickProvider, choose: () => onProvider(null) }];
      return found.map((one) => ({
        id: one.id,
        label: leadCopy.pick.item(one.name, one.zipCode),
        choose: () => onProvider(one),
      }));
    }
    const open = choices.find(({ key }) => key === opened);
    if (open !== undefined) return toOptions(open, onChange).filter(({ label }) => matches(label, wanted));
    const filters: Option[] = [
      { id: provider, label: copy.provider, opens: provider },
      ...choices.map(({ key, label, options, value }) => ({
        id: key,
        label,
        note: value === '' ? undefined : options.find((option) => option.value === value)?.label,
        opens: key,
      })),
      { id: days, label: copy.days, opens: days },
    ];
    if (wanted === '') return filters;
    const values = choices.flatMap((choice) =>
      toOptions(choice, onChange)
        .filter(({ label }) => matches(`${choice.label} ${label}`, wanted))
        .map((option) => ({ ...option, group: choice.label })),
    );
    return [...filters.filter(({ label }) => matches(label, wanted)), ...values];
  }

  const options = listOptions();
  return (
    <Back
      onKeyDown={({ key }) => {
        if (key === 'Backspace' && text === '') onOpen(null);
      }}
    >
      <SearchList<Option>
        label={opened === provider ? leadCopy.pick.search : copy.find}
        text={text}
        onType={setText}
        options={options}
        isCurrent={isCurrent}
        isFirstActive
        message={options.length > 0 ? null : isCurrent ? copy.noneFound : leadCopy.pick.loading}
        onPick={({ opens, choose }) => {
          setText('');
          if (opens !== undefined) return onOpen(opens);
          onClose();
          choose?.();
        }}
      />
    </Back>
  );
}

function matches(label: string, wanted: string): boolean {
  return label.toLowerCase().includes(wanted);
}

function toOptions(
  { key, options, value, choose }: FilterChoice,
  onChange: FilterFields['onChange'],
): Option[] {
  return options.map((option) => ({
    id: `${key}=${option.value}`,
    label: option.label,
    note: option.value === value ? copy.chosen : undefined,
    choose: () => onChange(choose(option.value)),
  }));
}

/** Each day applies immediately. */
function Days({ filter, onChange }: FilterFields) {
  const fields = useRef<HTMLDivElement>(null);
  useFirstField(fields);
  return (
    <DayFields ref={fields}>
      <DayInputs filter={filter} onChange={onChange} />
    </DayFields>
  );
}

function useFirstField(fields: RefObject<HTMLElement | null>): void {
  useEffect(() => fields.current?.querySelector('input')?.focus(), [fields]);
}

const Back = styled.div`
  display: contents;
`;

const DayFields = styled.div`
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: 0.75rem;
  padding: 0 1rem 1rem;
`;
