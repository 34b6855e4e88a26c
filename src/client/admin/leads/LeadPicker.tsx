import { keepPreviousData } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { useSettled } from '#client/admin/kit/listHooks.ts';
import { failureText } from '#client/admin/kit/reports.ts';
import type { ButtonProps } from '#client/ui/Button.tsx';
import { Combobox, type ComboboxOption } from '#client/ui/Combobox.tsx';
import { adminMessages } from '#shared/admin/copy.ts';
import { leadCopy, leadFilterCopy } from '#shared/admin/leadCopy.ts';
import { distanceText } from '#shared/formats/writing.ts';
import { takeAwayCopy } from './copy.ts';
import { styled } from 'styled-components';
import { smallControl } from '#client/ui/Select.tsx';
import type { AdminProvider } from '#shared/admin/adminProviders.ts';
import type { BulkLeads } from '#shared/admin/leadActions.ts';

interface LeadPickerProps {
  /** The providers nearest to this lead come first. */
  leadId: number;
  /** The provider that has the lead. */
  currentId?: number | null;
  label?: string;
  children: ReactNode;
  variant?: ButtonProps['variant'];
  disabled?: boolean;
  /** For several leads, the first option is the nearest provider of each. */
  several?: { leads: BulkLeads; onPickNearest: () => void };
  /** Of a lead that has a provider: the last option takes it away. */
  onTakeAway?: (() => void) | undefined;
  onPick: (providerId: number, name: string) => void;
}

/** No provider has them. */
const [nearestId, nobodyId] = [0, -1];

/** Picks a provider for a lead: 'name - zipCode', nearest first, with miles; for several leads also the nearest of each. */
export function LeadPicker({
  leadId,
  currentId = null,
  several,
  onTakeAway,
  onPick,
  ...button
}: LeadPickerProps) {
  const [isWanted, setIsWanted] = useState(false);
  const [search, setSearch] = useState('');
  const settled = useSettled(search).trim();
  const { data, error, isFetching, isPlaceholderData } = adminApi.admin.leads.candidates.useQuery(
    settled === '' ? { id: leadId } : { id: leadId, search: settled },
    { enabled: isWanted, placeholderData: keepPreviousData },
  );
  const { data: nearest } = adminApi.admin.leads.previewAssign.useQuery(
    { ...(several?.leads ?? { ids: [leadId] }), providerId: null },
    { enabled: isWanted && several !== undefined, gcTime: 0 },
  );
  const isLoaded = data !== undefined || error !== null;
  const canTakeAway = onTakeAway !== undefined && isLoaded && mayMeanNobody(settled);
  const nearestNote = nearest?.miles == null ? undefined : leadCopy.distances.range(nearest.miles);
  const nearestOption = { id: nearestId, label: leadCopy.pick.nearest, note: nearestNote };
  const message =
    error !== null
      ? failureText(error, adminMessages.providersFailed)
      : data === undefined
        ? leadCopy.pick.loading
        : data.length === 0
          ? isFetching || (settled !== '' && canTakeAway)
            ? null
            : leadCopy.pick.none
          : data.every(({ miles }) => miles === null)
            ? leadCopy.pick.unplaced
            : null;
  return (
    <Combobox
      {...button}
      heading={leadCopy.pick.heading}
      searchLabel={leadCopy.pick.search}
      message={message}
      // Where no provider is found, Enter must not take the lead away.
      isFirstActive={message !== leadCopy.pick.unplaced && data?.length !== 0}
      optionsFor={isPlaceholderData || data === undefined ? null : settled}
      options={[
        // With the others: nothing moves under the pointer.
        ...(several !== undefined && settled === '' && isLoaded ? [nearestOption] : []),
        ...(data ?? []).map(({ id, name, zipCode, miles }) => ({
          id,
          label: leadCopy.pick.item(name, zipCode),
          note: several === undefined ? buildNote(miles, id === currentId) : undefined,
        })),
        ...(canTakeAway ? [{ id: nobodyId, label: takeAwayCopy.action }] : []),
      ]}
      onOpen={() => {
        setSearch('');
        setIsWanted(true);
      }}
      onSearch={setSearch}
      onPick={({ id, label }) => {
        if (id === nearestId) several?.onPickNearest();
        else if (id === nobodyId) onTakeAway?.();
        else if (id !== currentId) onPick(id, data?.find((provider) => provider.id === id)?.name ?? label);
      }}
    />
  );
}

/** Nothing typed, or the option's own words and no provider's name. */
function mayMeanNobody(text: string): boolean {
  return text === '' || (text.length > 3 && takeAwayCopy.action.toLowerCase().startsWith(text.toLowerCase()));
}

function buildNote(miles: number | null, isCurrent: boolean): string | undefined {
  const notes = [isCurrent ? leadCopy.pick.current : null, miles === null ? null : distanceText(miles)];
  return notes.filter((note) => note !== null).join(' · ') || undefined;
}

const allOption: ComboboxOption = { id: 0, label: leadFilterCopy.pickProvider };

interface ProviderFilterProps {
  /** The chosen provider's name; null for all providers. */
  chosenName: string | null;
  onChoose: (provider: { id: number; name: string } | null) => void;
}

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
export function useProviderSearch(text: string): { found: AdminProvider[]; isSearching: boolean } {
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
