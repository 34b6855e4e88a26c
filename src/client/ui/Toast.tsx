import { type ComponentType, useEffect, useState } from 'react';

export interface ToastContent {
  title: string;
  description?: string | undefined;
  tone?: 'default' | 'destructive' | 'success';
}

let mountToaster: (() => void) | null = null;

/** Shows one message for five seconds, bottom right, in place of any shown before. The code for it is loaded with the first one. */
export function showToast(content: ToastContent): void {
  mountToaster?.();
  void import('./Toaster.tsx').then(({ pushToast }) => pushToast(content));
}

/** Where toasts are drawn; once, in App. Empty until the first. */
export function ToastSlot() {
  const [Toaster, setToaster] = useState<ComponentType | null>(null);
  useEffect(() => {
    mountToaster = () => void import('./Toaster.tsx').then((module) => setToaster(() => module.Toaster));
    return () => {
      mountToaster = null;
    };
  }, []);
  return Toaster === null ? null : <Toaster />;
}
