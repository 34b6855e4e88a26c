import { useState } from 'react';
import { styled } from 'styled-components';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { useSettled } from '#client/admin/kit/listHooks.ts';
import { Combobox, type ComboboxOption } from '#client/ui/Combobox.tsx';
import { smallControl } from '#client/ui/Select.tsx';
import type { AdminProvider } from '#shared/admin/adminProviders.ts';
import { leadFilterCopy, leadCopy } from '#shared/admin/leadCopy.ts';

const allOption: ComboboxOption = { id: 0, label: leadFilterCopy.pickProvider };

interface ProviderFilterProps {
  /** The chosen provider's name; null for all providers. */
  chosenName: string | null;
  onChoose: (provider: { id: number; name: string } | null) => void;
}

/** Filters the leads by provider. */
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
        optionsFor={search.trim() === '' ? '' : isSearching ? null : settled.trim()}
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

/** Staff narrow the search instead of paging. */
const providersFoundMax = 50;

/** The first providers that match the text, active before inactive. */
function useProviderSearch(text: string): { found: AdminProvider[]; isSearching: boolean } {
  const search = text.trim();
  const input = { search, limit: providersFoundMax };
  const options = { enabled: search !== '' };
  const active = adminApi.admin.providers.list.useQuery({ ...input, status: 'active' }, options);
  const inactive = adminApi.admin.providers.list.useQuery({ ...input, status: 'inactive' }, options);
  const both = [active, inactive].flatMap(({ data }) => data?.providers ?? []);
  return {
    found: search === '' ? [] : both.slice(0, providersFoundMax),
    isSearching: active.isLoading || inactive.isLoading,
  };
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
    ${smallControl}
    justify-content: space-between;
    min-inline-size: 0;
  }
`;

const Name = styled.span`
  min-inline-size: 0;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
`;
