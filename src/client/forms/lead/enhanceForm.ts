import { pasteZip } from '#client/forms/pasteZip.ts';
import type { PageFormKey } from '#shared/leads/leads.ts';
import { rememberAttribution } from './attribution.ts';
import type { LeadFieldErrors } from './fieldMessages.ts';
import { keepValues, restoreValues } from './keptValues.ts';
import { createLeadSession, type LeadApi, type LeadSession } from './leadSession.ts';
import { errorsAfterEdit, leadFormErrors, type LeadValues, readLeadValues } from './leadValues.ts';
import { requestedProvider } from './requestedProvider.ts';

export interface EnhancedFormOptions {
  form: PageFormKey;
  element: HTMLFormElement;
  /** The clinic of a microsite. Without one the page's address may ask for one. */
  providerId: number | null;
  pageToken: string;
  /** Hears of the network now and whenever it goes or comes back. */
  onNetwork: (isOnline: boolean) => void;
  /** The page was brought back from the browser's cache in the state it was left in. */
  onRestored: () => void;
}

export interface EnhancedForm {
  session: LeadSession;
  /** What is in the form now, and what is wrong with it. */
  entered: () => { values: LeadValues; faults: LeadFieldErrors };
  /** The messages that are left once the field of that name has been edited. */
  afterEdit: (shown: LeadFieldErrors, edited: string) => LeadFieldErrors;
  end: () => void;
}

/** The calls to the server, and the toast's code too: a failure is often a lost network, and then it could no longer be loaded. */
async function loadApi(): Promise<LeadApi> {
  const [{ leadApi }] = await Promise.all([
    import('./leadApi.ts'),
    import('#client/ui/Toaster.tsx').catch(() => null),
  ]);
  return leadApi;
}

/**
 * What a form needs once it is used but not to be shown: a chunk of its own, loaded when the page is live. Begins the session it sends by,
 * gives it back what was typed before the confirmation, takes pasted ZIPs as they come, and follows the network.
 */
export function enhanceForm({
  form,
  element,
  providerId,
  pageToken,
  onNetwork,
  onRestored,
}: EnhancedFormOptions): EnhancedForm {
  const session = createLeadSession({
    form,
    providerId: providerId ?? requestedProvider(location.search),
    pageToken,
    loadApi,
    attribution: rememberAttribution(),
    isOnline: () => navigator.onLine,
  });
  const tellNetwork = (): void => onNetwork(navigator.onLine);
  const tellRestored = (event: PageTransitionEvent): void => {
    if (event.persisted) onRestored();
  };
  restoreValues(form, element);
  tellNetwork();
  if (element.contains(document.activeElement)) session.touch();
  document.addEventListener('paste', pasteZip);
  window.addEventListener('online', tellNetwork);
  window.addEventListener('offline', tellNetwork);
  window.addEventListener('pageshow', tellRestored);
  const entered: EnhancedForm['entered'] = () => {
    const values = readLeadValues(new FormData(element));
    return { values, faults: leadFormErrors(values) };
  };
  return {
    session,
    entered,
    afterEdit: (shown, edited) => errorsAfterEdit(shown, edited, entered().faults),
    end() {
      keepValues(form, element);
      document.removeEventListener('paste', pasteZip);
      window.removeEventListener('online', tellNetwork);
      window.removeEventListener('offline', tellNetwork);
      window.removeEventListener('pageshow', tellRestored);
    },
  };
}
