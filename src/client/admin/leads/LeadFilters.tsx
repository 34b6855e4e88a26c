import { type RefObject, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { media } from '#client/theme/tokens.ts';
import { DayInput, SmallInput } from '#client/ui/DayInput.tsx';
import { Select, SmallLabel } from '#client/ui/Select.tsx';
import { crmStatuses, leadDeliveryFilters, listedFilter } from '#shared/admin/adminLeads.ts';
import { leadFilterCopy, leadCopy } from '#shared/admin/leadCopy.ts';
import { leadOutcomes } from '#shared/leads/leadOutcomes.ts';
import type { LeadSearchFilter } from './leadSearch.ts';
import { FilterChips } from './FilterChips.tsx';
import { outcomeFilterName } from './copy.ts';
import { ProviderFilter } from './ProviderFilter.tsx';
import { useTypedSearch } from '#client/admin/kit/listHooks.ts';

const copy = leadFilterCopy;
const all = { value: '', label: copy.all };
const matchOptions = [
  all,
  { value: 'matched', label: copy.matched },
  { value: 'unmatched', label: copy.unmatched },
] as const;
const statusOptions = [all, ...crmStatuses.map((value) => ({ value, label: leadCopy.crm[value] }))];
const outcomes = [...leadOutcomes, 'none'] as const;
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
