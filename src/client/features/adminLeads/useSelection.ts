import { useState } from 'react';

export interface Selection {
  ids: number[];
  isAll: boolean;
  has: (id: number) => boolean;
  select: (id: number, isSelected: boolean) => void;
  selectAll: (isSelected: boolean) => void;
  clear: () => void;
}

/** Which of the rows shown are selected. What is no longer shown no longer is: nothing happens to a lead that isn't seen. */
export function useSelection(shown: readonly { id: number }[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
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
