import { type RefObject, useEffect, useRef } from 'react';

interface Focused {
  element: HTMLElement;
  /** Of its row. */
  id: string | undefined;
}

/**
 * When a drawing takes away what has the focus in a list (a row that is over can't be retried any more), the focus goes to the same row's link,
 * else to the list itself. Rows are known by `data-delivery`.
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
  // After each drawing.
  useEffect(() => {
    if (last.current === null || last.current.element.isConnected) return;
    const { id } = last.current;
    last.current = null;
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    const link =
      id === undefined ? null : list.current?.querySelector<HTMLElement>(`[data-delivery="${id}"] a[href]`);
    const place = link ?? list.current?.querySelector<HTMLElement>('[tabindex]');
    place?.focus({ preventScroll: true });
  });
}
