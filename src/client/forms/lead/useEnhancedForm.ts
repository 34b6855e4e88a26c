import { type RefObject, useEffect, useRef } from 'react';
import type { EnhancedForm, EnhancedFormOptions } from './enhanceForm.ts';

/**
 * Has the form looked after (tendForm.ts) from when the page is live: what that takes needs a browser. Null before that and on the server;
 * it comes to null where the code for it can't be had.
 */
export function useEnhancedForm(
  ref: RefObject<HTMLFormElement | null>,
  options: Omit<EnhancedFormOptions, 'element'>,
): RefObject<Promise<EnhancedForm | null> | null> {
  const { form, providerId, pageToken } = options;
  const coming = useRef<Promise<EnhancedForm | null>>(null);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    // Set by script, so that the browser's own checks remain where scripts don't run.
    element.noValidate = true;
    const enhancing = import('./enhanceForm.ts')
      .then(({ enhanceForm }) =>
        enhanceForm({
          form,
          providerId,
          pageToken,
          element,
          onNetwork: (isOnline) => latest.current.onNetwork(isOnline),
          onRestored: () => latest.current.onRestored(),
        }),
      )
      .catch(() => null);
    coming.current = enhancing;
    return () => void enhancing.then((enhanced) => enhanced?.end());
  }, [ref, form, providerId, pageToken]);
  return coming;
}
