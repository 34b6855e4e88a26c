import { useState, type RefObject, useEffect, useRef } from 'react';

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
  const changes = useStable({
    select: (id: Id, isSelected: boolean) =>
      setChosen(new Set(isSelected ? [...ids, id] : ids.filter((one) => one !== id))),
    selectAll: (isSelected: boolean) => setChosen(new Set(isSelected ? shown.map(({ id }) => id) : [])),
    clear: () => setChosen(new Set()),
  });
  return {
    ids,
    isAll: shown.length > 0 && ids.length === shown.length,
    has: (id) => chosen.has(id),
    ...changes,
  };
}

/**
 * The same functions at every render, each of which runs the latest one given. A row that gets them renders again only
 * when its own data change.
 */
export function useStable<Functions extends Record<string, (...args: never[]) => void>>(
  latest: Functions,
): Functions {
  const current = useRef(latest);
  useEffect(() => {
    current.current = latest;
  });
  const [stable] = useState(() => {
    const wrapped = { ...latest };
    for (const name of Object.keys(latest) as (keyof Functions)[])
      wrapped[name] = ((...args) => current.current[name]?.(...args)) as Functions[typeof name];
    return wrapped;
  });
  return stable;
}

/** After a page change, scrolls to the list's top. If the pressed button is now disabled, the list gets the focus. */
export function useListTop(page: number, list: RefObject<HTMLElement | null>): void {
  const shown = useRef(page);
  useEffect(() => {
    if (shown.current === page || list.current === null) return;
    shown.current = page;
    const top = list.current;
    const table = top.querySelector<HTMLElement>('[data-table-frame]');
    if (top.getBoundingClientRect().top < 0) top.scrollIntoView();
    const active = document.activeElement;
    if (active === null || active === document.body || active.matches(':disabled'))
      (table ?? top).focus({ preventScroll: true });
  }, [page, list]);
}

const pauseMs = 250;

/** The text of a search field. `onSettle` runs when typing pauses. The back button and a chip also change the text. */
export function useTypedSearch(
  value: string,
  onSettle: (text: string) => void,
): [string, (text: string) => void] {
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  const [applied, setApplied] = useState(value);
  if (shown !== value) {
    setShown(value);
    // The applied value arrives from the URL while more is typed: keep the text.
    if (value !== applied) {
      setText(value);
      setApplied(value);
    }
  }
  const settle = useRef(onSettle);
  useEffect(() => {
    settle.current = onSettle;
  });
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === applied) return undefined;
    const timer = setTimeout(() => {
      setApplied(wanted);
      settle.current(wanted);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text, applied]);
  return [text, setText];
}

/** A value that changes only when typing pauses, so that the server is not queried for each letter. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
