import { type ComponentType, useEffect, useState } from 'react';

export interface ToastContent {
  title: string;
  description?: string | undefined;
  tone?: 'default' | 'destructive' | 'success';
  /** What can be done about it while it is shown. */
  action?: { label: string; onPress: () => void };
}

let mountToaster: ((Toaster: ComponentType) => void) | null = null;

/** Shows one message for five seconds in place of any shown before. The code for it is loaded with the first one. */
export function showToast(content: ToastContent): void {
  void show(content);
}

/** Takes the message away: what it said no longer holds. */
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
    // The code can't be had; whoever shows a toast says the same in the page.
  }
}

/** Where toasts are drawn; once, in App. Empty until the first. */
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
