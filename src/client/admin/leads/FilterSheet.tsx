import { useState } from 'react';
import { styled } from 'styled-components';
import { Button } from '#client/ui/Button.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { DialogActions } from '#client/ui/ModalContent.tsx';
import { ListFilter } from '#client/ui/Icon.tsx';
import { Select } from '#client/ui/Select.tsx';
import { leadSorts } from '#shared/admin/adminLeads.ts';
import { leadFilterCopy as copy } from '#shared/admin/leadCopy.ts';
import { listFilterChoices } from './filterChoices.ts';
import { DayInputs, type FilterFields } from './FilterDays.tsx';
import { FilterButton } from './FilterMenu.tsx';
import { ProviderFilter } from './LeadPicker.tsx';
import type { LeadSearchControl } from './leadSearch.ts';

interface FilterSheetProps extends FilterFields {
  search: Pick<LeadSearchControl, 'sort' | 'setSort'>;
  /** The name of the chosen provider; null: all. */
  providerName: string | null;
}

const sortOptions = leadSorts.map((value) => ({ value, label: copy.sorts[value] }));

/** A phone's filters and order, on a sheet of their own. Each applies immediately. */
export function FilterSheet({ search: { sort, setSort }, providerName, ...fields }: FilterSheetProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { filter, onChange, onProvider } = fields;
  const close = (): void => setIsOpen(false);
  return (
    <>
      <FilterButton onClick={() => setIsOpen(true)}>
        <ListFilter />
        {copy.label}
      </FilterButton>
      <Dialog open={isOpen} onClose={close} title={copy.label}>
        <Fields>
          <Select
            label={copy.sort}
            options={sortOptions}
            value={sort}
            onChoose={(value) => setSort(leadSorts.find((one) => one === value) ?? sort)}
          />
          <ProviderFilter chosenName={providerName} onChoose={onProvider} />
          {listFilterChoices(filter).map(({ key, label, options, value, choose }) => (
            <Select
              key={key}
              label={label}
              options={options}
              value={value}
              onChoose={(chosen) => onChange(choose(chosen))}
            />
          ))}
          <DayInputs filter={filter} onChange={onChange} />
        </Fields>
        <DialogActions>
          <Button onClick={close}>{copy.done}</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

const Fields = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr));
  gap: 0.75rem;
  margin-block-end: 1.5rem;
`;
