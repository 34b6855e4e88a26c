import { useEffect, useRef, useState } from 'react';
import { findTopLayer } from '#client/theme/layers.ts';

const storageKey = 'admin-shortcuts';

/** Single-character keys and their actions. They can be switched off (WCAG 2.1.4). */
export type Shortcuts = Readonly<Record<string, () => void>>;

/** Whether a key pressed there is text. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input:not([type=checkbox]), select, textarea') !== null)
  );
}

/** Listens for keys, except in text fields, in dialogs and with a modifier key. */
export function useShortcuts(shortcuts: Shortcuts, isOn: boolean): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    if (!isOn) return undefined;
    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || findTopLayer() !== null) return;
      const act = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined;
      if (act === undefined) return;
      event.preventDefault();
      act();
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOn]);
}

/** Whether single keys are active. The browser stores the choice. */
export function useShortcutSwitch(): [boolean, (isOn: boolean) => void] {
  const [isOn, setIsOn] = useState(readSwitch);
  function change(value: boolean): void {
    setIsOn(value);
    try {
      localStorage.setItem(storageKey, value ? 'on' : 'off');
    } catch {
      // Without storage, the choice lasts until the page is closed.
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
