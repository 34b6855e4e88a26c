import { type ReactNode, useState } from 'react';
import { failureText } from '#client/admin/kit/reports.ts';
import { useSettled } from '#client/admin/kit/useTypedSearch.ts';
import type { ButtonProps } from '#client/ui/Button.tsx';
import { Combobox } from '#client/ui/Combobox.tsx';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import { distanceText } from '#shared/formats/writing.ts';
import { useCandidates } from './useLeads.ts';

interface LeadPickerProps {
  /** The providers nearest to this lead come first. */
  leadId: number;
  /** The provider that has the lead. */
  currentId?: number | null;
  label?: string;
  children: ReactNode;
  variant?: ButtonProps['variant'];
  disabled?: boolean;
  onPick: (providerId: number) => void;
}

/** Picks a provider for a lead: 'name - zipCode', nearest first, with miles. */
export function LeadPicker({ leadId, currentId = null, onPick, ...button }: LeadPickerProps) {
  const [isWanted, setIsWanted] = useState(false);
  const [search, setSearch] = useState('');
  const settled = useSettled(search).trim();
  const { data, error, isFetching, isPlaceholderData } = useCandidates(leadId, settled, isWanted);
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
      options={(data ?? []).map(({ id, name, zipCode, miles }) => ({
        id,
        label: leadCopy.pick.item(name, zipCode),
        note: noteOf(miles, id === currentId),
      }))}
      onOpen={() => {
        setSearch('');
        setIsWanted(true);
      }}
      onSearch={setSearch}
      onPick={({ id }) => onPick(id)}
    />
  );
}

function noteOf(miles: number | null, isCurrent: boolean): string | undefined {
  const notes = [isCurrent ? leadCopy.pick.current : null, miles === null ? null : distanceText(miles)];
  return notes.filter((note) => note !== null).join(' · ') || undefined;
}
