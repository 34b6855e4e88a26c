import { useState } from 'react';

export interface Selection<Id extends string | number = number> {
  ids: Id[];
  isAll: boolean;
  has: (id: Id) => boolean;
  select: (id: Id, isSelected: boolean) => void;
  selectAll: (isSelected: boolean) => void;
  clear: () => void;
}

/** The selected rows of the current page. A row that leaves the page is no longer selected. */
export function useSelection<Id extends string | number>(shown: readonly { id: Id }[]): Selection<Id> {
  const [chosen, setChosen] = useState<ReadonlySet<Id>>(new Set());
  const ids = shown.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  return {
    ids,
    isAll: shown.length > 0 && ids.length === shown.length,
    has: (id) => chosen.has(id),
    select: (id, isSelected) =>
      setChosen(new Set(isSelected ? [...ids, id] : ids.filter((one) => one !== id))),
    selectAll: (isSelected) => setChosen(new Set(isSelected ? shown.map(({ id }) => id) : [])),
    clear: () => setChosen(new Set()),
  };
}
