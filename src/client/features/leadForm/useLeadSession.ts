import { type RefObject, useEffect, useRef } from 'react';
import type { PageFormKey } from '#shared/leads.ts';
import { rememberAttribution } from './attribution.ts';
import { createLeadSession, type LeadApi, type LeadSession } from './leadSession.ts';
import { requestedProvider } from './requestedProvider.ts';

interface SessionOptions {
  form: PageFormKey;
  /** The clinic of a microsite. Without one the page's address may ask for one. */
  providerId: number | null;
  pageToken: string;
}

/** The code for sending, and the toast's too: a failure is often a lost network, and then it could no longer be loaded. */
async function loadApi(): Promise<LeadApi> {
  const [{ leadApi }] = await Promise.all([
    import('./leadApi.ts'),
    import('#client/ui/Toaster.tsx').catch(() => null),
  ]);
  return leadApi;
}

/** Made once the page is live: what follows needs a browser. Null before that and on the server. */
export function useLeadSession(
  ref: RefObject<HTMLFormElement | null>,
  { form, providerId, pageToken }: SessionOptions,
): RefObject<LeadSession | null> {
  const session = useRef<LeadSession>(null);
  useEffect(() => {
    session.current = createLeadSession({
      form,
      providerId: providerId ?? requestedProvider(location.search),
      pageToken,
      loadApi,
      attribution: rememberAttribution(),
      isOnline: () => navigator.onLine,
    });
    if (ref.current === null) return;
    // Set by script, so that the browser's own checks remain where scripts don't run.
    ref.current.noValidate = true;
    if (ref.current.contains(document.activeElement)) session.current.touch();
  }, [ref, form, providerId, pageToken]);
  return session;
}

/** A page left by the browser's own form post and brought back from its cache still shows the state it was left in. */
export function useRestoredPage(onRestored: () => void): void {
  useEffect(() => {
    const listen = (event: PageTransitionEvent) => {
      if (event.persisted) onRestored();
    };
    window.addEventListener('pageshow', listen);
    return () => window.removeEventListener('pageshow', listen);
  }, [onRestored]);
}
