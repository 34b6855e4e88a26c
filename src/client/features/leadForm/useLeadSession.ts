import { type RefObject, useEffect, useRef } from 'react';
import type { PageFormKey } from '#shared/leads.ts';
import type { LeadApi, LeadSession, LeadSessionOptions, SessionOutcome } from './leadSession.ts';
import type { ConsentedValues } from './leadValues.ts';
import { requestedProvider } from './requestedProvider.ts';

interface SessionOptions {
  form: PageFormKey;
  /** The clinic of a microsite. Without one the page's address may ask for one. */
  providerId: number | null;
  pageToken: string;
}

/** One view of a form, its code for sending apart: that is loaded when the form is first touched. */
interface LazySession {
  touch: () => void;
  /** Sends the lead. Null where an earlier call is under way. */
  submit: (values: ConsentedValues) => Promise<SessionOutcome | null>;
}

/** The calls to the server, and the toast's code too: a failure is often a lost network, and then it could no longer be loaded. */
async function loadApi(): Promise<LeadApi> {
  const [{ leadApi }] = await Promise.all([
    import('./leadApi.ts'),
    import('#client/ui/Toaster.tsx').catch(() => null),
  ]);
  return leadApi;
}

/** Remembers how the visit began, as soon as the page is live; nothing waits for it but a lead. */
async function attributionOfVisit(): Promise<LeadSessionOptions['attribution']> {
  const { rememberAttribution } = await import('./tendForm.ts');
  return rememberAttribution();
}

function createLazySession(options: Omit<LeadSessionOptions, 'attribution'>): LazySession {
  let loading: Promise<LeadSession> | null = null;
  const visit = attributionOfVisit().catch(() => undefined);

  async function load(): Promise<LeadSession> {
    // Side by side, or the one would wait for the other; a lost API is reported by the session when it sends.
    const [{ createLeadSession }, attribution] = await Promise.all([
      import('./leadSession.ts'),
      visit,
      options.loadApi().catch(() => null),
    ]);
    return createLeadSession({ ...options, attribution });
  }

  function loaded(): Promise<LeadSession> {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  }

  return {
    touch: () => {
      if (!options.isOnline()) return;
      const ignore = (): void => undefined;
      void loaded().then((session) => session.touch(), ignore);
    },
    submit: async (values) => {
      const session = await loaded().catch(() => null);
      if (session === null) return { kind: options.isOnline() ? 'scriptMissing' : 'offline' };
      return session.submit(values);
    },
  };
}

/** Made once the page is live: what follows needs a browser. Null before that and on the server. */
export function useLeadSession(
  ref: RefObject<HTMLFormElement | null>,
  { form, providerId, pageToken }: SessionOptions,
): RefObject<LazySession | null> {
  const session = useRef<LazySession>(null);
  useEffect(() => {
    session.current = createLazySession({
      form,
      providerId: providerId ?? requestedProvider(location.search),
      pageToken,
      loadApi,
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
