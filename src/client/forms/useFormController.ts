import {
  type InputEvent,
  type RefObject,
  type SubmitEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { dismissToast, showToast } from '#client/ui/Toast.tsx';
import type { FormState } from '#shared/pages/boot.ts';
import { leadFormTexts } from '#shared/brand/leadForm.ts';
import type { FormCopy } from '#shared/pages/brandContent.ts';
import type { EnhancedForm, PageListener } from './enhanceForm.ts';
import type { FieldErrors, FormOutcome } from './formSession.ts';
import { postPlainForm } from './postPlainForm.ts';
import { takeOverServedForm } from './servedForms.ts';

type RefusedOutcome = Extract<FormOutcome<unknown>, { kind: 'refused' }>;

/** What each form supplies to its controller. */
export interface FormOptions<Created> {
  /** Names of the controls in the order shown. The first one with an error gets the focus. */
  fields: readonly string[];
  texts: Omit<FormCopy, 'submit' | 'submitting'> & {
    /** Shown in the form if no response arrived. */
    offline: string;
  };
  /** What a failed plain form post returned. */
  posted: FormState | null;
  /** Loads the script behavior. Keep it stable: a new function attaches the behavior again. */
  enhance: (element: HTMLFormElement, page: PageListener) => Promise<EnhancedForm<Created>>;
  onCreated: (created: Created) => void;
}

export interface FormController {
  ref: RefObject<HTMLFormElement | null>;
  phase: 'idle' | 'submitting' | 'failed';
  errors: FieldErrors;
  /** What failed. Empty if nothing did. */
  message: string;
  /** Network status to show while nothing has failed. Usually empty. */
  notice: string;
  posted: FormState | null;
  /** The first field with an error in a failed plain form post. */
  firstPostedError: string | null;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  onTouch: () => void;
  onInput: (event: InputEvent<HTMLFormElement>) => void;
}

/** Controls one public form: checks, submit, focus and messages. The inputs stay uncontrolled. */
export function useFormController<Created>(options: FormOptions<Created>): FormController {
  const { fields, texts, posted, enhance, onCreated } = options;
  const ref = useRef<HTMLFormElement>(null);
  const [phase, setPhase] = useState<FormController['phase']>('idle');
  const [message, setMessage] = useState(posted?.message ?? '');
  const [errors, setErrors] = useState<FieldErrors>(posted?.errors ?? {});
  const [isOnline, setIsOnline] = useState(true);
  const [isSlow, setIsSlow] = useState(false);
  const enhanced = useEnhancedForm(ref, enhance, {
    onNetwork(isNowOnline) {
      setIsOnline(isNowOnline);
      if (!isNowOnline || (message !== texts.offline && message !== leadFormTexts.offlineNow)) return;
      setPhase('idle');
      setMessage('');
    },
    onRestored: () => setPhase('idle'),
    onSlow: () => setIsSlow(true),
  });

  /** Renders the messages before it moves the focus, so that a screen reader announces the field with its message. */
  function showErrors(found: FieldErrors): void {
    flushSync(() => setErrors(found));
    const field = firstWithError(fields, found);
    const control = field === null ? null : ref.current?.elements.namedItem(field);
    if (control instanceof HTMLElement) control.focus();
  }

  function fail(sentence: string, inForm = sentence, found: FieldErrors = {}): void {
    const isAboutFields = firstWithError(fields, found) !== null;
    flushSync(() => {
      setPhase(isAboutFields ? 'idle' : 'failed');
      setMessage(isAboutFields ? '' : inForm);
    });
    if (isAboutFields) showErrors(found);
    else restoreFocus(ref.current);
    const isInPage = isAboutFields ? Object.values(found).includes(sentence) : sentence === inForm;
    showToast({ title: texts.failureTitle, description: sentence, tone: 'destructive', isInPage });
  }

  function refuse({ message: sentence, errorMessage, fields: found }: RefusedOutcome): void {
    const shown = sentence ?? (texts.showsErrorMessage ? errorMessage : null) ?? texts.failure;
    fail(shown, shown, found);
  }

  function finish(outcome: FormOutcome<Created>): void {
    switch (outcome.kind) {
      case 'created':
        // A visitor who goes back before the next page is shown finds the form ready.
        setPhase('idle');
        return onCreated(outcome.created);
      case 'refused':
        return refuse(outcome);
      case 'offline':
        return fail(texts.failure, texts.offline);
      case 'scriptMissing':
        return ref.current?.submit();
      case 'blocked':
        return ref.current === null ? undefined : postPlainForm(ref.current, outcome.fields);
    }
  }

  function send(form: EnhancedForm<Created> | null): void {
    if (form === null) return finish({ kind: navigator.onLine ? 'scriptMissing' : 'offline' });
    const found = form.errors();
    setMessage('');
    dismissToast();
    showErrors(found);
    if (texts.consentToast !== null && found['acceptance_consent'] !== undefined)
      showToast({ ...texts.consentToast, tone: 'destructive', isInPage: true });
    if (firstWithError(fields, found) !== null) return setPhase('idle');
    // The browser may be wrong about the network, so a second submit is sent.
    if (!navigator.onLine && phase !== 'failed') return fail(texts.failure, leadFormTexts.offlineNow);
    setPhase('submitting');
    setIsSlow(false);
    form.submit()?.then(finish, () => fail(texts.failure));
  }

  function onSubmit(event: SubmitEvent<HTMLFormElement>): void {
    // Until the page is live, the browser posts the form itself.
    if (enhanced.current === null) return;
    event.preventDefault();
    void enhanced.current.then(send);
  }

  function onInput({ target }: InputEvent<HTMLFormElement>): void {
    if (phase === 'failed') setPhase('idle');
    const edited = String(Reflect.get(target, 'name'));
    const review = (form: EnhancedForm<Created> | null): void => {
      form?.touch();
      // A toast about a field that is correct now is no longer true.
      if (form !== null && form.errorsAfterEdit(errors, edited) !== errors) dismissToast();
      setErrors((shown) => form?.errorsAfterEdit(shown, edited) ?? shown);
    };
    void enhanced.current?.then(review);
  }

  return {
    ref,
    phase,
    errors,
    message,
    notice: !isOnline ? leadFormTexts.offlineNow : isSlow && phase === 'submitting' ? leadFormTexts.slow : '',
    posted,
    firstPostedError: firstWithError(fields, posted?.errors ?? {}),
    onSubmit,
    onTouch: () => void enhanced.current?.then((form) => form?.touch()),
    onInput,
  };
}

/** Attaches the script behavior. The ref is null until the page is live; resolves to null if the code fails to load. */
function useEnhancedForm<Created>(
  ref: RefObject<HTMLFormElement | null>,
  enhance: FormOptions<Created>['enhance'],
  page: PageListener,
): RefObject<Promise<EnhancedForm<Created> | null> | null> {
  const enhanced = useRef<Promise<EnhancedForm<Created> | null>>(null);
  useLayoutEffect(() => {
    if (ref.current !== null) takeOverServedForm(ref.current);
  }, [ref]);
  const onNetwork = useEffectEvent(page.onNetwork);
  const onRestored = useEffectEvent(page.onRestored);
  const onSlow = useEffectEvent(page.onSlow);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    // Set by script, so that the browser's own checks remain where scripts don't run.
    element.noValidate = true;
    const attached = enhance(element, { onNetwork, onRestored, onSlow }).catch(() => null);
    enhanced.current = attached;
    return () => void attached.then((form) => form?.end());
  }, [ref, enhance]);
  return enhanced;
}

export function firstWithError(fields: readonly string[], errors: FieldErrors): string | null {
  return fields.find((field) => errors[field] !== undefined) ?? null;
}

/** The button lost the focus while it was disabled. A visitor who moved on in the meantime keeps their place. */
function restoreFocus(form: HTMLFormElement | null): void {
  if (document.activeElement?.matches('body, main') === false) return;
  form?.querySelector<HTMLButtonElement>('[type=submit]:not([formnovalidate])')?.focus();
}
