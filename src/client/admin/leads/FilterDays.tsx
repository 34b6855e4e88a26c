import { DayInput } from '#client/ui/DayInput.tsx';
import { leadFilterCopy as copy } from '#shared/admin/leadCopy.ts';
import type { LeadSearchFilter } from './leadSearch.ts';

export interface FilterFields {
  filter: LeadSearchFilter;
  onChange: (part: LeadSearchFilter) => void;
  /** Null for all providers. */
  onProvider: (provider: { id: number; name: string } | null) => void;
}

/** Each day applies immediately. */
export function DayInputs({ filter, onChange }: Pick<FilterFields, 'filter' | 'onChange'>) {
  return (
    <>
      <DayInput label={copy.from} value={filter.from} onChoose={(from) => onChange({ from })} />
      <DayInput label={copy.to} value={filter.to} onChoose={(to) => onChange({ to })} />
    </>
  );
}
