import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { token } from '#client/theme/tokens.ts';
import { ListFilter } from '#client/ui/Icon.tsx';
import { loadedOnPress } from '#client/ui/loadedOnPress.tsx';
import { leadFilterCopy as copy } from '#shared/admin/leadCopy.ts';
import type { FilterFields } from './FilterDays.tsx';

const Panel = loadedOnPress('dialog', async () => (await import('./FilterPanel.tsx')).FilterPanel);

/** The button that opens the list of filters. */
export function FilterMenu(fields: FilterFields) {
  return (
    <Panel
      {...fields}
      trigger={
        <FilterButton>
          <ListFilter />
          {copy.add}
        </FilterButton>
      }
    />
  );
}

/** Not violet: only one button of a screen is. */
export const FilterButton = styled(ActionButton)`
  border-color: ${token.inputLine};
  color: ${token.ink};
  font-weight: 400;
`;
