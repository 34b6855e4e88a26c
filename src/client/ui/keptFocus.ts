import { type RefObject, useEffect, useRef } from 'react';

interface KeptFocus {
  onFocus: () => void;
  onBlur: () => void;
}

/**
 * Keeps the focus in an element if what had it is removed or replaced: its first button or choice gets it. The element
 * takes the handlers. React passes on no blur event for what it removes.
 */
export function useKeptFocus(element: RefObject<HTMLElement | null>): KeptFocus {
  const hadFocus = useRef(false);
  useEffect(() => {
    if (hadFocus.current && document.activeElement === document.body)
      element.current
        ?.querySelector<HTMLElement>(':is(button, select):enabled')
        ?.focus({ preventScroll: true });
  });
  return {
    onFocus: () => {
      hadFocus.current = true;
    },
    onBlur: () => {
      hadFocus.current = false;
    },
  };
}
