import { type RefObject, useEffect, useRef, useState } from 'react';
import { leadFormTexts } from '#shared/brand/leadForm.ts';
import type { TendedForm, TendedOptions } from './tendForm.ts';

/** After this a request that is still under way is admitted to be slow. */
const slowAfterMs = 8000;

/**
 * Has the form looked after (tendForm.ts) from when the page is live: what that takes needs a browser. Null before that and on the server;
 * it comes to null where the code for it can't be had.
 */
export function useTendedForm(
  ref: RefObject<HTMLFormElement | null>,
  options: Omit<TendedOptions, 'element'>,
): RefObject<Promise<TendedForm | null> | null> {
  const { form, providerId, pageToken } = options;
  const coming = useRef<Promise<TendedForm | null>>(null);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    // Set by script, so that the browser's own checks remain where scripts don't run.
    element.noValidate = true;
    const tending = import('./tendForm.ts').then(
      ({ tendForm }) =>
        tendForm({
          form,
          providerId,
          pageToken,
          element,
          onNetwork: (isOnline) => latest.current.onNetwork(isOnline),
          onRestored: () => latest.current.onRestored(),
        }),
      () => null,
    );
    coming.current = tending;
    return () => void tending.then((tended) => tended?.end());
  }, [ref, form, providerId, pageToken]);
  return coming;
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
