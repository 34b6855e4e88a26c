import {
  type InputEvent,
  type RefObject,
  type SubmitEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'wouter';
import { showToast } from '#client/ui/Toast.tsx';
import type { FormState } from '#shared/boot.ts';
import { leadFormTexts } from '#shared/brand/leadForm.ts';
import type { FormKey } from '#shared/leads.ts';
import { successPath } from '#shared/paths.ts';
import { rememberAttribution } from './attribution.ts';
import { createLeadSession, type LeadApi, type LeadSession, type SessionOutcome } from './leadSession.ts';
import {
  errorsAfterEdit,
  firstWrongField,
  hasConsent,
  knownFieldErrors,
  type LeadFieldErrors,
  leadFormErrors,
  readLeadValues,
} from './leadValues.ts';

interface LeadFormOptions {
  form: FormKey;
  providerId: number | null;
  pageToken: string;
  /** What a failed plain post brought back. */
  posted: FormState | null;
}

export interface LeadFormController {
  ref: RefObject<HTMLFormElement | null>;
  phase: 'idle' | 'submitting' | 'failed';
  errors: LeadFieldErrors;
  /** The sentence above the button; empty when there is nothing to say. */
  message: string;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  onTouch: () => void;
  onInput: (event: InputEvent<HTMLFormElement>) => void;
}

/** Drives one lead form: rules, sending, errors, and where to go next. The inputs stay uncontrolled and are read when needed. */
export function useLeadForm({ posted, ...sessionOptions }: LeadFormOptions): LeadFormController {
  const ref = useRef<HTMLFormElement>(null);
  const session = useLeadSession(ref, sessionOptions);
  const [, navigate] = useLocation();
  const [phase, setPhase] = useState<LeadFormController['phase']>('idle');
  const [message, setMessage] = useState(posted?.message ?? '');
  const [errors, setErrors] = useState<LeadFieldErrors>(() => knownFieldErrors(posted?.errors ?? {}));
  useRestoredPage(useCallback(() => setPhase('idle'), []));

  /** Draws the messages first, so that the focused field is announced together with its own. */
  function showFaults(faults: LeadFieldErrors): void {
    flushSync(() => setErrors(faults));
    const field = firstWrongField(faults);
    const control = field === null ? null : ref.current?.elements.namedItem(field);
    if (control instanceof HTMLElement) control.focus();
  }

  function fail(sentence: string, faults: LeadFieldErrors): void {
    const isAboutFields = firstWrongField(faults) !== null;
    flushSync(() => {
      setPhase(isAboutFields ? 'idle' : 'failed');
      setMessage(isAboutFields ? '' : sentence);
    });
    if (isAboutFields) showFaults(faults);
    else focusAgain(ref.current);
    showToast({ title: leadFormTexts.failureTitle, description: sentence, tone: 'destructive' });
  }

  function settle(outcome: SessionOutcome): void {
    switch (outcome.kind) {
      case 'created':
        return navigate(successPath(outcome.providerId));
      case 'refused':
        return fail(outcome.message ?? leadFormTexts.failure, outcome.fields);
      case 'offline':
        return fail(leadFormTexts.offline, {});
      case 'scriptMissing':
        return ref.current?.submit();
    }
  }

  function onSubmit(event: SubmitEvent<HTMLFormElement>): void {
    // Before the session exists the browser's own post goes through.
    if (session.current === null) return;
    event.preventDefault();
    const values = readLeadValues(new FormData(event.currentTarget));
    const faults = leadFormErrors(values);
    setMessage('');
    showFaults(faults);
    if (firstWrongField(faults) !== null || !hasConsent(values)) return setPhase('idle');
    const sending = session.current.submit(values);
    if (sending === null) return;
    setPhase('submitting');
    sending.then(settle, () => fail(leadFormTexts.failure, {}));
  }

  /** An edit takes a message away as soon as it no longer holds; it never brings one. */
  function onInput(event: InputEvent<HTMLFormElement>): void {
    session.current?.touch();
    if (phase === 'failed') setPhase('idle');
    const edited = event.target instanceof HTMLInputElement ? event.target.name : '';
    const now = leadFormErrors(readLeadValues(new FormData(event.currentTarget)));
    setErrors((shown) => errorsAfterEdit(shown, edited, now));
  }

  return { ref, phase, errors, message, onSubmit, onTouch: () => session.current?.touch(), onInput };
}

/** The button lost the focus while it was disabled; whoever moved on in the meantime is left alone. */
function focusAgain(form: HTMLFormElement | null): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  form?.querySelector<HTMLButtonElement>('[type=submit]')?.focus();
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
function useLeadSession(
  ref: RefObject<HTMLFormElement | null>,
  { form, providerId, pageToken }: Omit<LeadFormOptions, 'posted'>,
): RefObject<LeadSession | null> {
  const session = useRef<LeadSession>(null);
  useEffect(() => {
    session.current = createLeadSession({
      form,
      providerId,
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
function useRestoredPage(onRestored: () => void): void {
  useEffect(() => {
    const listen = (event: PageTransitionEvent) => {
      if (event.persisted) onRestored();
    };
    window.addEventListener('pageshow', listen);
    return () => window.removeEventListener('pageshow', listen);
  }, [onRestored]);
}
