import { useEffect, useEffectEvent } from 'react';
import { isTyping } from '#client/admin/kit/useShortcuts.ts';
import { modals } from '#client/theme/layers.ts';
import { showToast } from '#client/ui/Toast.tsx';
import { adminCopy } from '#shared/admin/copy.ts';

/** Ctrl+K and ⌘K, also in text fields. Not above a dialog, whose question must be answered first. */
export function usePaletteKey(onOpen: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isWanted = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!isWanted || event.key.toLowerCase() !== 'k') return;
    event.preventDefault();
    if (document.querySelector(`${modals}:not([data-drawer])`) === null) onOpen();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => press(event);
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

/**
 * Ctrl+Z and ⌘Z when no message offers Undo (`ui/Toaster.tsx`). The browser would undo what was typed last, wherever
 * that was.
 */
export function useNothingToUndo(): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const isUndo = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'z';
      if (!isUndo || event.defaultPrevented || isTyping(event.target)) return;
      event.preventDefault();
      showToast(adminCopy.nothingToUndo);
    }
    // After the message's own key, which is on the document.
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
