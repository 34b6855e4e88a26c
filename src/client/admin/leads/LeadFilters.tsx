import { type RefObject, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { DayInput, SmallInput } from '#client/ui/DayInput.tsx';
import { Select, SmallLabel } from '#client/ui/Select.tsx';
import { crmStatuses, leadDeliveryFilters, listedFilter } from '#shared/admin/adminLeads.ts';
import { leadCopy, leadFilterCopy } from '#shared/admin/leadCopy.ts';
import { leadOutcomes } from '#shared/leads/leadOutcomes.ts';
import type { LeadSearchFilter } from './leadSearch.ts';
import { outcomeFilterName } from './copy.ts';
import { ProviderFilter } from './LeadPicker.tsx';
import { useTypedSearch } from '#client/admin/kit/listHooks.ts';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { Row } from '#client/admin/kit/layout.tsx';
import { X } from '#client/ui/Icon.tsx';
import { taskCopy } from '#shared/admin/taskCopy.ts';

const copy = leadFilterCopy;
const all = { value: '', label: copy.all };
const matchOptions = [
  all,
  { value: 'matched', label: copy.matched },
  { value: 'unmatched', label: copy.unmatched },
] as const;
const statusOptions = [all, ...crmStatuses.map((value) => ({ value, label: leadCopy.crm[value] }))];
const outcomes = [...leadOutcomes, 'none', 'overdue'] as const;
const outcomeOptions = [all, ...outcomes.map((value) => ({ value, label: outcomeFilterName(value) }))];
const deliveryOptions = [
  all,
  ...leadDeliveryFilters.map((value) => ({ value, label: copy.deliveries[value] })),
];
const onlyQuarantined = [
  { value: 'true', label: copy.quarantined },
  { value: 'over-limit', label: copy.overLimit },
];
const repeatOptions = [all, { value: 'true', label: copy.repeat }, { value: 'false', label: copy.notRepeat }];
const deletedOptions = [
  { value: '', label: copy.notDeleted },
  { value: 'true', label: copy.onlyDeleted },
];

interface LeadFiltersProps {
  filter: LeadSearchFilter;
  onFilter: (filter: LeadSearchFilter, isTyping?: boolean) => void;
  searchRef: RefObject<HTMLInputElement | null>;
  /** The provider's name, if a lead on this page has it. */
  providerName: (id: number) => string | null;
}

function truth(value: string): boolean | undefined {
  return value === '' ? undefined : value === 'true';
}

/** Search and filters. Each applies immediately. */
export function LeadFilters({ filter, onFilter, searchRef, providerName }: LeadFiltersProps) {
  const group = useRef<HTMLDivElement>(null);
  const [text, type] = useTypedSearch(filter.search ?? '', (search) =>
    onFilter({ ...filter, search: search || undefined }, true),
  );
  const [picked, setPicked] = useState<{ id: number; name: string } | null>(null);
  const getName = (id: number): string =>
    picked?.id === id ? picked.name : (providerName(id) ?? leadCopy.unknownProvider(id));
  const change = (part: LeadSearchFilter): void => onFilter({ ...filter, ...part });
  return (
    <Everything as="search" ref={group} tabIndex={-1} aria-label={copy.label}>
      <Bar>
        <SearchLabel>
          <span>{copy.search}</span>
          <SmallInput
            ref={searchRef}
            type="search"
            value={text}
            placeholder={copy.searchHint}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            onChange={(event) => type(event.target.value)}
          />
        </SearchLabel>
        <ProviderFilter
          chosenName={filter.providerId === undefined ? null : getName(filter.providerId)}
          onChoose={(provider) => {
            setPicked(provider);
            change({ providerId: provider?.id });
          }}
        />
        <Select
          label={copy.match}
          options={matchOptions}
          value={filter.match ?? ''}
          onChoose={(value) =>
            change({ match: value === 'matched' || value === 'unmatched' ? value : undefined })
          }
        />
        <Select
          label={copy.status}
          options={statusOptions}
          value={filter.status ?? ''}
          onChoose={(value) => change({ status: crmStatuses.find((status) => status === value) })}
        />
        <Select
          label={copy.delivery}
          options={deliveryOptions}
          value={filter.delivery ?? ''}
          onChoose={(value) =>
            change({ delivery: leadDeliveryFilters.find((delivery) => delivery === value) })
          }
        />
        <Select
          label={copy.outcome}
          options={outcomeOptions}
          value={filter.outcome ?? ''}
          onChoose={(value) => change({ outcome: outcomes.find((outcome) => outcome === value) })}
        />
        <QuarantineSelect filter={filter} onChange={change} />
        <Select
          label={copy.repeats}
          options={repeatOptions}
          value={String(filter.repeat ?? '')}
          onChoose={(value) => change({ repeat: truth(value) })}
        />
        <Select
          label={copy.deleted}
          options={deletedOptions}
          value={filter.deleted === true ? 'true' : ''}
          onChoose={(value) => change({ deleted: value === 'true' ? true : undefined })}
        />
        <DayInput label={copy.from} value={filter.from} onChoose={(from) => change({ from })} />
        <DayInput label={copy.to} value={filter.to} onChoose={(to) => change({ to })} />
      </Bar>
      <FilterChips
        filter={filter}
        getName={getName}
        onFilter={onFilter}
        onCleared={() => group.current?.focus()}
      />
    </Everything>
  );
}

interface QuarantineSelectProps {
  filter: LeadSearchFilter;
  onChange: (part: LeadSearchFilter) => void;
}

/** Quarantined leads are hidden by default. A search and some filters include them unless they are hidden. */
function QuarantineSelect({ filter, onChange }: QuarantineSelectProps) {
  const others = { ...filter, quarantined: undefined, overLimit: undefined };
  const hidden = { value: 'false', label: copy.hidden };
  const isHiddenByDefault = listedFilter(others).quarantined === false;
  const chosen = filter.overLimit === true ? 'over-limit' : String(filter.quarantined ?? '');
  return (
    <Select
      label={copy.quarantine}
      options={
        isHiddenByDefault ? [{ ...hidden, value: '' }, ...onlyQuarantined] : [all, ...onlyQuarantined, hidden]
      }
      value={isHiddenByDefault && chosen === 'false' ? '' : chosen}
      onChoose={(value) =>
        onChange(
          value === 'over-limit'
            ? { quarantined: undefined, overLimit: true }
            : { quarantined: truth(value), overLimit: undefined },
        )
      }
    />
  );
}

const Everything = styled.div`
  display: grid;
  gap: 0.75rem;

  /* It gets the focus after the chips disappear, and shows no outline. */
  &:focus {
    outline: none;
  }
`;

const Bar = styled.div`
  display: grid;
  /* At most five columns, on a desktop six: ten filters below or beside the search fill whole rows. */
  grid-template-columns: repeat(auto-fill, minmax(max(7.75rem, 17%), 1fr));
  gap: 0.75rem;
  align-items: end;

  ${media.desktop} {
    grid-template-columns: repeat(6, minmax(0, 1fr));
  }
`;

const SearchLabel = styled(SmallLabel)`
  grid-column: 1 / -1;

  ${media.desktop} {
    grid-column: span 2;
  }
`;

interface FilterChipsProps {
  filter: LeadSearchFilter;
  getName: (providerId: number) => string;
  onFilter: (filter: LeadSearchFilter) => void;
  /** The last chip, which has the focus, is about to disappear. */
  onCleared: () => void;
}

function listChips(
  filter: LeadSearchFilter,
  getName: (providerId: number) => string,
): { key: keyof LeadSearchFilter; label: string }[] {
  const {
    search,
    providerId,
    match,
    quarantined,
    overLimit,
    repeat,
    deleted,
    status,
    outcome,
    delivery,
    task,
    from,
    to,
  } = filter;
  const isDefault =
    quarantined === undefined ||
    listedFilter({ ...filter, quarantined: undefined }).quarantined === quarantined;
  const chips: { key: keyof LeadSearchFilter; label: string | undefined }[] = [
    { key: 'search', label: search && copy.searchIs(search) },
    { key: 'providerId', label: providerId === undefined ? undefined : copy.providerIs(getName(providerId)) },
    { key: 'match', label: match && copy[match] },
    { key: 'status', label: status && copy.statusIs(leadCopy.crm[status]) },
    {
      key: 'quarantined',
      label: isDefault ? undefined : quarantined ? copy.quarantined : copy.notQuarantined,
    },
    { key: 'overLimit', label: overLimit === true ? copy.overLimit : undefined },
    { key: 'repeat', label: repeat === undefined ? undefined : repeat ? copy.repeat : copy.notRepeat },
    { key: 'deleted', label: deleted === true ? copy.onlyDeleted : undefined },
    {
      key: 'outcome',
      label: outcome && (outcome === 'overdue' ? copy.overdue : copy.outcomeIs(outcomeFilterName(outcome))),
    },
    { key: 'delivery', label: delivery && copy.deliveries[delivery] },
    { key: 'task', label: task && taskCopy[task].title },
    { key: 'from', label: from && copy.since(from) },
    { key: 'to', label: to && copy.until(to) },
  ];
  return chips.flatMap(({ key, label }) => (label === undefined || label === '' ? [] : [{ key, label }]));
}

/** The active filters, each with a button that removes it. */
function FilterChips({ filter, getName, onFilter, onCleared }: FilterChipsProps) {
  const chips = listChips(filter, getName);
  if (chips.length === 0) return null;

  function remove(key: keyof LeadSearchFilter, chip: HTMLElement): void {
    if (chips.length === 1) onCleared();
    else chip.closest('li')?.nextElementSibling?.querySelector('button')?.focus();
    onFilter({ ...filter, [key]: undefined });
  }

  return (
    <Row as="ul">
      {chips.map(({ key, label }) => (
        <li key={key}>
          <Chip
            type="button"
            aria-label={copy.removeFilter(label)}
            onClick={(event) => remove(key, event.currentTarget)}
          >
            {label}
            <X />
          </Chip>
        </li>
      ))}
      <li>
        <ActionButton
          variant="quiet"
          onClick={() => {
            onCleared();
            onFilter({});
          }}
        >
          {copy.clear}
        </ActionButton>
      </li>
    </Row>
  );
}

const Chip = styled.button`
  display: inline-flex;
  align-items: center;
  gap: 0.375rem;
  min-block-size: 2rem;

  ${media.touch} {
    min-block-size: 2.75rem;
  }

  padding: 0.25rem 0.625rem 0.25rem 0.875rem;
  border: 1px solid ${token.line};
  border-radius: ${token.pill};
  background: ${token.tint};
  color: ${token.primary};
  font-size: 0.875rem;
  font-weight: 600;
  line-height: 1.3;
  text-align: start;
  overflow-wrap: anywhere;
  cursor: pointer;

  &:hover {
    border-color: ${token.secondary};
  }

  & > svg {
    inline-size: 0.875rem;
  }
`;
