import { keepPreviousData } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { useSettled } from '#client/admin/kit/listHooks.ts';
import { failureText } from '#client/admin/kit/reports.ts';
import type { ButtonProps } from '#client/ui/Button.tsx';
import { Combobox } from '#client/ui/Combobox.tsx';
import { adminMessages } from '#shared/admin/copy.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { distanceText } from '#shared/formats/writing.ts';

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
  several?: { ids: readonly number[]; onPickNearest: () => void };
  onPick: (providerId: number, name: string) => void;
}

/** No provider has it. */
const nearestId = 0;

/** Picks a provider for a lead: 'name - zipCode', nearest first, with miles; for several leads also the nearest of each. */
export function LeadPicker({ leadId, currentId = null, several, onPick, ...button }: LeadPickerProps) {
  const [isWanted, setIsWanted] = useState(false);
  const [search, setSearch] = useState('');
  const settled = useSettled(search).trim();
  const { data, error, isFetching, isPlaceholderData } = adminApi.admin.leads.candidates.useQuery(
    settled === '' ? { id: leadId } : { id: leadId, search: settled },
    { enabled: isWanted, placeholderData: keepPreviousData },
  );
  const { data: nearest } = adminApi.admin.leads.previewAssign.useQuery(
    { ids: [...(several?.ids ?? [])], providerId: null },
    { enabled: isWanted && several !== undefined, gcTime: 0 },
  );
  const nearestNote = nearest?.miles == null ? undefined : leadCopy.distances.range(nearest.miles);
  const nearestOption = { id: nearestId, label: leadCopy.pick.nearest, note: nearestNote };
  const message =
    error !== null
      ? failureText(error, adminMessages.providersFailed)
      : data === undefined
        ? leadCopy.pick.loading
        : data.length === 0
          ? isFetching
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
      optionsFor={isPlaceholderData || data === undefined ? null : settled}
      options={[
        ...(several !== undefined && settled === '' ? [nearestOption] : []),
        ...(data ?? []).map(({ id, name, zipCode, miles }) => ({
          id,
          label: leadCopy.pick.item(name, zipCode),
          note: several === undefined ? buildNote(miles, id === currentId) : undefined,
        })),
      ]}
      onOpen={() => {
        setSearch('');
        setIsWanted(true);
      }}
      onSearch={setSearch}
      onPick={({ id, label }) =>
        id === nearestId
          ? several?.onPickNearest()
          : onPick(id, data?.find((provider) => provider.id === id)?.name ?? label)
      }
    />
  );
}

function buildNote(miles: number | null, isCurrent: boolean): string | undefined {
  const notes = [isCurrent ? leadCopy.pick.current : null, miles === null ? null : distanceText(miles)];
  return notes.filter((note) => note !== null).join(' · ') || undefined;
}
