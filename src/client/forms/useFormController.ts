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
import { dismissToast, showToast } from '#client/ui/Toast.tsx';
import type { FormState } from '#shared/pages/boot.ts';
import { pasteZip } from './pasteZip.ts';
import type { FormSession, Offline, ScriptMissing } from './formSession.ts';

export type FieldMessages = Partial<Record<string, string>>;

/** What a call to the server came to, its good answers apart. */
export interface Refused {
  kind: 'refused';
  message: string | null;
  fields: FieldMessages;
}
export interface Created {
  kind: 'created';
}

/** What a form is made of; keep it in a constant, as the hook makes its session anew when it changes. */
export interface FormRules<Values, Sendable extends Values> {
  read: (data: FormData) => Values;
  /** Every message at once. */
  errorsOf: (values: Values) => FieldMessages;
  /** Whether consent was given, by the visitor and nobody else. */
  hasConsent: (values: Values) => values is Sendable;
  /** Names of the controls, in the order they are shown: the first wrong one gets the focus. */
  order: readonly string[];
  createSession: (pageToken: string) => FormSession<Sendable, Created | Refused | Offline>;
  texts: { failureTitle: string; failure: string; offline: string };
}

interface ControllerOptions {
  pageToken: string;
  /** What a failed plain post brought back. */
  posted: FormState | null;
  onCreated: () => void;
}

export interface FormController {
  ref: RefObject<HTMLFormElement | null>;
  phase: 'idle' | 'submitting' | 'failed';
  errors: FieldMessages;
  /** The sentence above the button; empty when there is nothing to say. */
  message: string;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  onTouch: () => void;
  onInput: (event: InputEvent<HTMLFormElement>) => void;
}

export function firstWrong(order: readonly string[], errors: FieldMessages): string | null {
  return order.find((field) => errors[field] !== undefined) ?? null;
}

/** Drives one form: rules, sending, errors. The inputs stay uncontrolled and are read when needed, as autofill and translation change them. */
export function useFormController<Values, Sendable extends Values>(
  rules: FormRules<Values, Sendable>,
  { pageToken, posted, onCreated }: ControllerOptions,
): FormController {
  const { order, texts } = rules;
  const ref = useRef<HTMLFormElement>(null);
  const session = useFormSession(ref, rules, pageToken);
  const [phase, setPhase] = useState<FormController['phase']>('idle');
  const [message, setMessage] = useState(posted?.message ?? '');
  const [errors, setErrors] = useState<FieldMessages>(posted?.errors ?? {});
  useRestoredPage(useCallback(() => setPhase('idle'), []));

  /** Draws the messages first, so that the focused field is announced together with its own. */
  function showFaults(faults: FieldMessages): void {
    flushSync(() => setErrors(faults));
    const field = firstWrong(order, faults);
    const control = field === null ? null : ref.current?.elements.namedItem(field);
    if (control instanceof HTMLElement) control.focus();
  }

  function fail(sentence: string, faults: FieldMessages): void {
    const isAboutFields = firstWrong(order, faults) !== null;
    flushSync(() => {
      setPhase(isAboutFields ? 'idle' : 'failed');
      setMessage(isAboutFields ? '' : sentence);
    });
    if (isAboutFields) showFaults(faults);
    else focusAgain(ref.current);
    showToast({ title: texts.failureTitle, description: sentence, tone: 'destructive' });
  }

  function settle(outcome: Created | Refused | Offline | ScriptMissing): void {
    switch (outcome.kind) {
      case 'created':
        return onCreated();
      case 'refused':
        return fail(outcome.message ?? texts.failure, outcome.fields);
      case 'offline':
        return fail(texts.offline, {});
      case 'scriptMissing':
        return ref.current?.submit();
    }
  }

  function onSubmit(event: SubmitEvent<HTMLFormElement>): void {
    // Before the session exists the browser's own post goes through.
    if (session.current === null) return;
    event.preventDefault();
    const values = rules.read(new FormData(event.currentTarget));
    const faults = rules.errorsOf(values);
    setMessage('');
    dismissToast();
    showFaults(faults);
    if (firstWrong(order, faults) !== null || !rules.hasConsent(values)) return setPhase('idle');
    const sending = session.current.submit(values);
    if (sending === null) return;
    setPhase('submitting');
    sending.then(settle, () => fail(texts.failure, {}));
  }

  /** An edit takes the edited field's message away as soon as it no longer holds; it never brings one. */
  function onInput(event: InputEvent<HTMLFormElement>): void {
    session.current?.touch();
    if (phase === 'failed') setPhase('idle');
    const edited = Reflect.get(event.target, 'name');
    if (typeof edited !== 'string') return;
    const now = rules.errorsOf(rules.read(new FormData(event.currentTarget)));
    setErrors((shown) => withoutSettled(shown, edited, now));
  }

  return { ref, phase, errors, message, onSubmit, onTouch: () => session.current?.touch(), onInput };
}

function withoutSettled(shown: FieldMessages, edited: string, now: FieldMessages): FieldMessages {
  if (shown[edited] === undefined || shown[edited] === now[edited]) return shown;
  const { [edited]: _gone, ...rest } = shown;
  return rest;
}

/** The button lost the focus while it was disabled; whoever moved on in the meantime is left alone. */
function focusAgain(form: HTMLFormElement | null): void {
  if (document.activeElement?.matches('body, main') === false) return;
  form?.querySelector<HTMLButtonElement>('[type=submit]')?.focus();
}

/** Made once the page is live: what follows needs a browser. Null before that and on the server. */
function useFormSession<Values, Sendable extends Values>(
  ref: RefObject<HTMLFormElement | null>,
  { createSession }: FormRules<Values, Sendable>,
  pageToken: string,
): RefObject<FormSession<Sendable, Created | Refused | Offline> | null> {
  const session = useRef<FormSession<Sendable, Created | Refused | Offline>>(null);
  useEffect(() => {
    session.current = createSession(pageToken);
    if (ref.current === null) return undefined;
    // Set by script, so that the browser's own checks remain where scripts don't run.
    ref.current.noValidate = true;
    if (ref.current.contains(document.activeElement)) session.current.touch();
    document.addEventListener('paste', pasteZip);
    return () => document.removeEventListener('paste', pasteZip);
  }, [ref, createSession, pageToken]);
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
