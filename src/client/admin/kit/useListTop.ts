import { type RefObject, useEffect, useRef } from 'react';

/**
 * After a change of the page, shows the top of the list. If the pressed button is now disabled, the focus moves to the
 * list.
 */
export function useListTop(page: number, list: RefObject<HTMLElement | null>): void {
  const shown = useRef(page);
  useEffect(() => {
    if (shown.current === page || list.current === null) return;
    shown.current = page;
    const top = list.current;
    const table = top.querySelector<HTMLElement>('[data-table-frame]');
    table?.scrollTo({ top: 0 });
    if (top.getBoundingClientRect().top < 0) top.scrollIntoView();
    const active = document.activeElement;
    if (active === null || active === document.body || active.matches(':disabled'))
      (table ?? top).focus({ preventScroll: true });
  }, [page, list]);
}
