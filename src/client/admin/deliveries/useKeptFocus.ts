import { type RefObject, useEffect, useRef } from 'react';

interface Focused {
  element: HTMLElement;
  /** The delivery of the element's row. */
  id: string | undefined;
}

/**
 * When a render removes the focused element of a list (a finished delivery has no retry button), the focus moves to a
 * link or button of the same row, or else to the list. Rows have `data-delivery`.
 */
export function useKeptFocus(list: RefObject<HTMLElement | null>): void {
  const last = useRef<Focused | null>(null);
  useEffect(() => {
    function onFocus({ target }: FocusEvent): void {
      const isInside = target instanceof HTMLElement && list.current?.contains(target) === true;
      last.current = isInside
        ? { element: target, id: target.closest<HTMLElement>('[data-delivery]')?.dataset['delivery'] }
        : null;
    }
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, [list]);
  // Runs after each render.
  useEffect(() => {
    if (last.current === null || last.current.element.isConnected) return;
    const { id } = last.current;
    last.current = null;
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    const row = id === undefined ? null : list.current?.querySelector(`[data-delivery="${id}"]`);
    const target =
      row?.querySelector<HTMLElement>('a[href], button') ??
      list.current?.querySelector<HTMLElement>('[tabindex]');
    target?.focus({ preventScroll: true });
  });
}
