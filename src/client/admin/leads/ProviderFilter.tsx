import { useState } from 'react';
import { styled } from 'styled-components';
import { useSettled } from '#client/admin/kit/useSettled.ts';
import { useProviderSearch } from './useProviderSearch.ts';
import { Combobox, type ComboboxOption } from '#client/ui/Combobox.tsx';
import { leadFilterCopy, leadCopy } from '#shared/admin/leadCopy.ts';

const allOption: ComboboxOption = { id: 0, label: leadFilterCopy.pickProvider };

interface ProviderFilterProps {
  /** Name of the chosen one; null for all. */
  chosenName: string | null;
  onChoose: (provider: { id: number; name: string } | null) => void;
}

/** The leads of one provider. */
export function ProviderFilter({ chosenName, onChoose }: ProviderFilterProps) {
  const [search, setSearch] = useState('');
  const settled = useSettled(search);
  const { found, isSearching } = useProviderSearch(settled);
  const options = found.map(({ id, name, zipCode }) => ({ id, label: leadCopy.pick.item(name, zipCode) }));
  const shown = chosenName ?? leadFilterCopy.all;
  return (
    <Group>
      <span aria-hidden="true">{leadFilterCopy.provider}</span>
      <Combobox
        label={`${leadFilterCopy.provider}: ${shown}`}
        heading={leadCopy.pick.heading}
        searchLabel={leadCopy.pick.search}
        options={search.trim() === '' ? [allOption] : options}
        message={messageFor(search, isSearching || settled !== search, options.length)}
        onOpen={() => setSearch('')}
        onSearch={setSearch}
        onPick={({ id }) => {
          const provider = found.find((one) => one.id === id);
          onChoose(provider ?? null);
        }}
      >
        <Name>{shown}</Name>
      </Combobox>
    </Group>
  );
}

function messageFor(search: string, isSearching: boolean, count: number): string | null {
  if (search.trim() === '' || count > 0) return null;
  return isSearching ? leadCopy.pick.loading : leadCopy.pick.none;
}

const Group = styled.div`
  display: grid;
  gap: 0.25rem;
  min-inline-size: 0;
  color: var(--surface-muted);
  font-size: 0.8125rem;
  font-weight: 600;
  line-height: 1.3;

  & > button {
    justify-content: space-between;
    min-inline-size: 0;
    min-block-size: 2.5rem;
    border-radius: 8px;
  }
`;

const Name = styled.span`
  min-inline-size: 0;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
`;
