import { type RefObject, useEffect, useRef, useState } from 'react';
import { leadFormTexts } from '#shared/brand/leadForm.ts';
import type { PageFormKey } from '#shared/leads.ts';

/** After this a request that is still under way is admitted to be slow. */
const slowAfterMs = 8000;

/** Has the form looked after (tendForm.ts) from when the page is live; `onNetwork` hears of every change. */
export function useTendedForm(
  ref: RefObject<HTMLFormElement | null>,
  form: PageFormKey,
  onNetwork: (isOnline: boolean) => void,
): void {
  const listener = useRef(onNetwork);
  useEffect(() => {
    listener.current = onNetwork;
  });
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const tending = import('./tendForm.ts').then(
      ({ tendForm }) => tendForm({ form, element, onNetwork: (isOnline) => listener.current(isOnline) }),
      () => null,
    );
    return () => {
      void tending.then((end) => end?.());
    };
  }, [ref, form]);
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
