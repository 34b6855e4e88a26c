import { type ComponentType, useEffect, useState } from 'react';
import type { ToastContent } from './Toaster.tsx';

let mountToaster: ((Toaster: ComponentType) => void) | null = null;

/** Replaces the previous message. Lasts five seconds, or ten with an action. The first one loads the code. */
export function showToast(content: ToastContent): void {
  void show(content);
}

/** Loads the code before the first message: without a connection, it couldn't be loaded any more. */
export function loadToasts(): void {
  import('./Toaster.tsx').catch(() => undefined);
}

/** Removes a message that is no longer true. */
export function dismissToast(): void {
  void dismiss();
}

async function dismiss(): Promise<void> {
  if (!hasShown) return;
  const { removeToasts } = await import('./Toaster.tsx');
  removeToasts();
}

let hasShown = false;

async function show(content: ToastContent): Promise<void> {
  try {
    const { pushToast, Toaster } = await import('./Toaster.tsx');
    mountToaster?.(Toaster);
    pushToast(content);
    hasShown = true;
  } catch {
    // The code failed to load. Callers also show the message in the page.
  }
}

/** Renders toasts; once, in App. Empty until the first. */
export function ToastSlot() {
  const [Toaster, setToaster] = useState<ComponentType | null>(null);
  useEffect(() => {
    mountToaster = (component) => setToaster(() => component);
    return () => {
      mountToaster = null;
    };
  }, []);
  return Toaster === null ? null : <Toaster />;
}
