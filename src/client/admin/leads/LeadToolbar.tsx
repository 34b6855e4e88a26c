import { type RefObject, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { useTypedSearch } from '#client/admin/kit/listHooks.ts';
import { media, token } from '#client/theme/tokens.ts';
import { SmallInput } from '#client/ui/DayInput.tsx';
import { X } from '#client/ui/Icon.tsx';
import { leadCopy, leadFilterCopy as copy } from '#shared/admin/leadCopy.ts';
import { type FilterChip, listFilterChips } from './filterChoices.ts';
import type { FilterFields } from './FilterDays.tsx';
import { FilterMenu } from './FilterMenu.tsx';
import { FilterSheet } from './FilterSheet.tsx';
import type { LeadSearchControl, LeadSearchFilter } from './leadSearch.ts';
import { rowKeys } from './rowKeys.ts';

interface LeadToolbarProps {
  search: LeadSearchControl;
  isPhone: boolean;
  searchRef: RefObject<HTMLInputElement | null>;
  /** The provider's name, if a lead on this page has it. */
  providerName: (id: number) => string | null;
  /** The rows are up to date with the filter. */
  isCurrent: boolean;
  /** Searches all leads; null unless the other filters leave no leads. */
  onSearchAll: ((text: string) => void) | null;
}

/** One line: the search, the filters and the active ones. Each applies immediately. */
export function LeadToolbar({
  search,
  isPhone,
  searchRef,
  providerName,
  isCurrent,
  onSearchAll,
}: LeadToolbarProps) {
  const { filter, setFilter } = search;
  const group = useRef<HTMLDivElement>(null);
  const [text, type] = useTypedSearch(filter.search ?? '', (typed) =>
    setFilter({ ...filter, search: typed || undefined }, true),
  );
  const [picked, setPicked] = useState<{ id: number; name: string } | null>(null);
  const getName = (id: number): string =>
    picked?.id === id ? picked.name : (providerName(id) ?? leadCopy.unknownProvider(id));
  const fields: FilterFields = {
    filter,
    onChange: (part) => setFilter({ ...filter, ...part }),
    onProvider: (provider) => {
      setPicked(provider);
      setFilter({ ...filter, providerId: provider?.id });
    },
  };
  const chips = listFilterChips(filter, getName);
  return (
    <Bar as="search" ref={group} tabIndex={-1} aria-label={copy.label}>
      <SearchInput
        ref={searchRef}
        type="search"
        aria-label={copy.search}
        value={text}
        placeholder={copy.searchHint}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          const { key } = event;
          const wanted = text.trim();
          if (key !== 'Enter' && key !== 'ArrowDown') return;
          event.preventDefault();
          if (key === 'Enter' && wanted !== '' && onSearchAll !== null) onSearchAll(wanted);
          // Not to rows that are about to be replaced.
          else if (isCurrent && wanted === (filter.search ?? '')) rowKeys.j();
        }}
      />
      {isPhone ? (
        <FilterSheet
          {...fields}
          search={search}
          providerName={filter.providerId === undefined ? null : getName(filter.providerId)}
        />
      ) : (
        <FilterMenu {...fields} />
      )}
      {chips.length === 0 ? null : (
        <FilterChips
          chips={chips}
          onFilter={setFilter}
          filter={filter}
          onCleared={() => group.current?.focus()}
        />
      )}
    </Bar>
  );
}

const Bar = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.5rem;

  /* It gets the focus after the chips disappear, and shows no outline. */
  &:focus {
    outline: none;
  }
`;

const SearchInput = styled(SmallInput)`
  flex: 1 1 11rem;
  inline-size: auto;
  min-inline-size: 0;
  min-block-size: 2.25rem;
  padding-inline: 0.625rem;

  ${media.touch} {
    min-block-size: 2.75rem;
  }

  ${media.tablet} {
    flex: 0 1 17rem;
  }
`;

interface FilterChipsProps {
  chips: readonly FilterChip[];
  filter: LeadSearchFilter;
  onFilter: (filter: LeadSearchFilter) => void;
  /** The last chip, which has the focus, is about to disappear. */
  onCleared: () => void;
}

/** The active filters, each with a button that removes it. */
function FilterChips({ chips, filter, onFilter, onCleared }: FilterChipsProps) {
  function remove(key: keyof LeadSearchFilter, chip: HTMLElement): void {
    if (chips.length === 1) onCleared();
    else chip.closest('li')?.nextElementSibling?.querySelector('button')?.focus();
    onFilter({ ...filter, [key]: undefined });
  }

  return (
    <Chips>
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
    </Chips>
  );
}

const Chips = styled.ul`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.375rem;
`;

const Chip = styled.button`
  display: inline-flex;
  align-items: center;
  gap: 0.375rem;
  min-block-size: 1.75rem;

  ${media.touch} {
    min-block-size: 2.75rem;
  }

  padding: 0.125rem 0.5rem 0.125rem 0.625rem;
  border: 1px solid ${token.line};
  border-radius: ${token.pill};
  background: none;
  color: ${token.ink};
  font-size: 0.8125rem;
  line-height: 1.3;
  text-align: start;
  overflow-wrap: anywhere;
  cursor: pointer;

  &:hover {
    border-color: ${token.muted};
  }

  & > svg {
    flex: none;
    inline-size: 0.875rem;
    color: ${token.muted};
  }
`;
