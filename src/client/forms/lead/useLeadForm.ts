import { type InputEvent, type RefObject, type SubmitEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'wouter';
import { useNetworkNotice } from '#client/forms/networkNotice.ts';
import { useBoot } from '#client/api/tenant.tsx';
import { dismissToast, showToast } from '#client/ui/Toast.tsx';
import type { FormState } from '#shared/pages/boot.ts';
import { leadFormTexts } from '#shared/brand/leadForm.ts';
import type { FormCopy } from '#shared/pages/brandContent.ts';
import type { LeadFieldOrConsent } from '#shared/leads/leadFieldList.ts';
import type { PageFormKey } from '#shared/leads/leads.ts';
import { successPath } from '#shared/pages/paths.ts';
import { firstWrongField, knownFieldErrors, type LeadFieldErrors } from './fieldMessages.ts';
import type { SessionOutcome } from './leadSession.ts';
import type { ConsentedValues, LeadValues } from './leadValues.ts';
import type { EnhancedForm } from './enhanceForm.ts';
import { useEnhancedForm } from './useEnhancedForm.ts';

export interface LeadFormController {
  form: PageFormKey;
  copy: FormCopy;
  ref: RefObject<HTMLFormElement | null>;
  /** What a failed plain post brought back. */
  posted: FormState | null;
  /** The field that post got wrong first. */
  firstWrong: LeadFieldOrConsent | null;
  formToken: string;
  /** The clinic of a microsite on the main site; null elsewhere. */
  sentProviderId: number | null;
  phase: 'idle' | 'submitting' | 'failed';
  errors: LeadFieldErrors;
  /** What went wrong; empty when nothing did. */
  message: string;
  /** What there is to say of the network otherwise; mostly empty. */
  notice: string;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  onTouch: () => void;
  onInput: (event: InputEvent<HTMLFormElement>) => void;
}

export interface LeadFormOptions {
  form: PageFormKey;
  copy: FormCopy;
  posted: FormState | null;
  /** The clinic of a microsite. On a clinic's own host it isn't sent: there the server knows it. */
  providerId?: number | undefined;
}

/** What a failed plain post brought back to the page that is open. */
export function usePosted(): FormState | null {
  const { page } = useBoot();
  return 'form' in page ? page.form : null;
}

/** Drives one lead form: rules, sending, errors, and where to go next. The inputs stay uncontrolled and are read when needed. */
export function useLeadForm({ form, copy, posted, providerId }: LeadFormOptions): LeadFormController {
  const { tenant, formToken } = useBoot();
  const sentProviderId = tenant === null && providerId !== undefined ? providerId : null;
  const ref = useRef<HTMLFormElement>(null);
  const [, navigate] = useLocation();
  const [phase, setPhase] = useState<LeadFormController['phase']>('idle');
  const [message, setMessage] = useState(posted?.message ?? '');
  const [errors, setErrors] = useState<LeadFieldErrors>(() => knownFieldErrors(posted?.errors ?? {}));
  const [isOnline, setIsOnline] = useState(true);
  const notice = useNetworkNotice(isOnline, phase === 'submitting');
  const coming = useEnhancedForm(ref, {
    form,
    providerId: sentProviderId,
    pageToken: formToken,
    onNetwork: followNetwork,
    onRestored: () => setPhase('idle'),
  });

  /** A failure of the network is over once it is back. */
  function followNetwork(isNowOnline: boolean): void {
    setIsOnline(isNowOnline);
    if (!isNowOnline || (message !== leadFormTexts.offline && message !== leadFormTexts.offlineNow)) return;
    setPhase('idle');
    setMessage('');
  }

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
    showToast({ title: copy.failureTitle, description: sentence, tone: 'destructive' });
  }

  function settle(outcome: SessionOutcome): void {
    switch (outcome.kind) {
      case 'created':
        // Whoever goes back before the next page has come finds the form ready.
        setPhase('idle');
        return navigate(successPath(outcome.providerId));
      case 'refused':
        return fail(outcome.message ?? copy.failure, outcome.fields);
      case 'offline':
        return fail(leadFormTexts.offline, {});
      case 'scriptMissing':
        return ref.current?.submit();
    }
  }

  function onSubmit(event: SubmitEvent<HTMLFormElement>): void {
    // Before the page is live the browser's own post goes through.
    if (coming.current === null) return;
    event.preventDefault();
    void coming.current.then(send);
  }

  function send(enhanced: EnhancedForm | null): void {
    if (enhanced === null) return settle({ kind: navigator.onLine ? 'scriptMissing' : 'offline' });
    const { values, faults } = enhanced.entered();
    setMessage('');
    dismissToast();
    showFaults(faults);
    if (copy.consentToast !== null && !hasConsent(values))
      showToast({ ...copy.consentToast, tone: 'destructive' });
    if (firstWrongField(faults) !== null || !hasConsent(values)) return setPhase('idle');
    // Said at once; whoever tries again all the same is believed over the browser.
    if (!navigator.onLine && phase !== 'failed') return fail(leadFormTexts.offlineNow, {});
    setPhase('submitting');
    enhanced.session.submit(values)?.then(settle, () => fail(copy.failure, {}));
  }

  function onTouch(): void {
    void coming.current?.then((enhanced) => enhanced?.session.touch());
  }

  /** An edit takes a message away as soon as it no longer holds; it never brings one. */
  function onInput(event: InputEvent<HTMLFormElement>): void {
    if (phase === 'failed') setPhase('idle');
    const edited = event.target instanceof HTMLInputElement ? event.target.name : '';
    const review = (enhanced: EnhancedForm | null): void => {
      enhanced?.session.touch();
      setErrors((shown) => enhanced?.afterEdit(shown, edited) ?? shown);
    };
    void coming.current?.then(review);
  }

  return {
    form,
    copy,
    ref,
    posted,
    firstWrong: firstWrongField(knownFieldErrors(posted?.errors ?? {})),
    formToken,
    sentProviderId,
    phase,
    errors,
    message,
    notice,
    onSubmit,
    onTouch,
    onInput,
  };
}

function hasConsent(values: LeadValues): values is ConsentedValues {
  return values.acceptance_consent;
}

/** The button lost the focus while it was disabled; whoever moved on in the meantime is left alone. */
function focusAgain(form: HTMLFormElement | null): void {
  if (document.activeElement?.matches('body, main') === false) return;
  form?.querySelector<HTMLButtonElement>('[type=submit]:not([formnovalidate])')?.focus();
}
