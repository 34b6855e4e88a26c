import { useEffect, useSyncExternalStore } from 'react';
import { WarningLine } from '#client/ui/Alert.tsx';
import { loadToasts } from '#client/ui/Toast.tsx';
import { adminCopy } from '#shared/admin/copy.ts';

/** Says that nothing is saved while the browser is offline. Its live region is there before, so that it is announced. */
export function OfflineBanner() {
  useEffect(loadToasts, []);
  const isOnline = useSyncExternalStore(subscribe, readOnline, () => true);
  return <output>{isOnline ? null : <WarningLine text={adminCopy.offline} />}</output>;
}

function readOnline(): boolean {
  return navigator.onLine;
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}
