import { useEffect, useState, useSyncExternalStore } from 'react';
import { leadFormTexts } from '#shared/brand/leadForm.ts';

/** After this a request that is still under way is admitted to be slow. */
const slowAfterMs = 8000;

function subscribe(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}

function useIsOnline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
}

/** What there is to say of the network while nothing has failed: that it is gone, or slow; else empty. */
export function useNetworkNotice(isSending: boolean): string {
  const isOnline = useIsOnline();
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
  return isSending && isSlow ? leadFormTexts.slow : '';
}

/** Calls back when the network returns. */
export function useBackOnline(onBack: () => void): void {
  useEffect(() => {
    window.addEventListener('online', onBack);
    return () => window.removeEventListener('online', onBack);
  }, [onBack]);
}
