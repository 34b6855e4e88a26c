import { useEffect, useRef, useState } from 'react';

const storageKey = 'admin-shortcuts';

/** Keys of one character and what they do. WCAG 2.1.4: they can be switched off. */
export type Shortcuts = Readonly<Record<string, () => void>>;

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input:not([type=checkbox]), select, textarea') !== null)
  );
}

/** Listens for keys while nothing is typed, no dialog is open and no modifier is held. */
export function useShortcuts(shortcuts: Shortcuts, isOn: boolean): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    if (!isOn) return undefined;
    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || document.querySelector('dialog[open], dialog:popover-open') !== null)
        return;
      const act = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined;
      if (act === undefined) return;
      event.preventDefault();
      act();
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOn]);
}

/** Whether single keys act, as this browser remembers it. */
export function useShortcutSwitch(): [boolean, (isOn: boolean) => void] {
  const [isOn, setIsOn] = useState(readSwitch);
  function change(value: boolean): void {
    setIsOn(value);
    try {
      localStorage.setItem(storageKey, value ? 'on' : 'off');
    } catch {
      // It holds until the page is left.
    }
  }
  return [isOn, change];
}

function readSwitch(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off';
  } catch {
    return true;
  }
}
