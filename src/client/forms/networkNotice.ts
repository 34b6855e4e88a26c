import { useEffect, useState, useSyncExternalStore } from 'react';
import { leadFormTexts } from '#shared/brand/leadForm.ts';

/** After this a request that is still under way is admitted to be slow. */
const slowAfterMs = 8000;

function listen(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}

/** Whether the browser says it has a network; on the server it has. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(
    listen,
    () => navigator.onLine,
    () => true,
  );
}

/** What there is to say of the network while nothing has failed: that it is gone, or slow; else empty. */
export function useNetworkNotice(isOnline: boolean, isSending: boolean): string {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    if (!isSending) return undefined;
    const timer = setTimeout(() => setIsSlow(true), slowAfterMs);
    return () => {
      clearTimeout(timer);
      setIsSlow(false);
    };
  }, [isSending]);
  if (!isOnline) return leadFormTexts.offlineNow;
  return isSlow ? leadFormTexts.slow : '';
}
