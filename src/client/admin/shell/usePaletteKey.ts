import { useEffect, useEffectEvent } from 'react';

/** Ctrl+K and ⌘K, also in text fields. Not above a dialog, whose question must be answered first. */
export function usePaletteKey(onOpen: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isWanted = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!isWanted || event.key.toLowerCase() !== 'k') return;
    event.preventDefault();
    if (document.querySelector('dialog[open]:not([data-drawer])') === null) onOpen();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => press(event);
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
