import { type InputEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { dismissToast, showToast } from '#client/ui/Toast.tsx';
import type { FormState } from '#shared/pages/boot.ts';
import { stepForms } from '#shared/brand/stepForms.ts';
import type { StepFormKey } from '#shared/pages/brandContent.ts';
import { leadFields } from '#shared/leads/leadFieldTable.ts';
import { cleanText } from '#shared/leads/leadFields.ts';
import { zipFive, zipInText } from '#shared/leads/zip.ts';
import { keptValue } from './formDraft.ts';
import { dropBeforeZip, findInput, zipEntered } from './zipEntered.ts';

export type Step = 'zip' | 'details';

interface StepOptions {
  form: StepFormKey;
  formRef: RefObject<HTMLFormElement | null>;
  posted: FormState | null;
}

export type StepsController = ReturnType<typeof useSteps>;

/**
 * What a failed plain form post shows. A two-step form posts only its ZIP if scripts had not loaded when the first step
 * was submitted. Then the second step is shown, without messages about fields that the visitor has not seen.
 */
export function shownState(posted: FormState | null): FormState | null {
  if (posted === null) return null;
  const typed = leadFields.filter((field) => (posted.values[field] ?? '').trim() !== '');
  return typed.length === 1 && typed[0] === 'zip_code' ? { ...posted, errors: {}, message: '' } : posted;
}

/** What each form requires of a ZIP before the second step. It need not exist: no lead is refused for its ZIP. */
const zipRules: Record<StepFormKey, (zip: string) => boolean> = {
  quiz: (zip) => zip.length === 5,
  find: (zip) => zip !== '',
};

/** The ZIP that the second step uses (the first five digits of an autofilled ZIP+4), or null if not accepted. */
export function acceptedZip(form: StepFormKey, typed: string): string | null {
  const cleaned = cleanText(typed);
  const zip = zipInText(cleaned) ?? cleaned;
  return zipRules[form](zip) ? zip : null;
}

/** The step of the current history entry. Null for other entries, such as a link to an anchor. */
function stepInHistory(): Step | null {
  const state: unknown = window.history.state;
  if (typeof state !== 'object' || state === null || !('leadStep' in state)) return null;
  return state.leadStep === 'zip' || state.leadStep === 'details' ? state.leadStep : null;
}

function stateWith(leadStep: Step): object {
  const state: unknown = window.history.state;
  return { ...(typeof state === 'object' ? state : null), leadStep };
}

/** The first step shown after a failed plain form post. */
function firstState(form: StepFormKey, posted: FormState | null): { step: Step; zip: string | null } {
  const zip = posted === null ? null : acceptedZip(form, posted.values['zip_code'] ?? '');
  return { step: zip === null ? 'zip' : 'details', zip };
}

/**
 * Two steps of one form. Both stay in the page, so nothing typed is lost. The second is a history entry with the same
 * address, so that the back button returns to the first and no ZIP appears in an address.
 */
export function useSteps({ form, formRef, posted }: StepOptions) {
  const { zipToast } = stepForms[form];
  const [{ step, zip }, setState] = useState(() => firstState(form, posted));
  const [zipError, setZipError] = useState(() =>
    posted !== null && zip === null ? zipToast.description : undefined,
  );
  const headingRef = useRef<HTMLHeadingElement>(null);

  const findZipInput = (): HTMLInputElement | null => findInput(formRef.current, 'zip_code');

  function currentZip(): string | null {
    return acceptedZip(form, findZipInput()?.value ?? '');
  }

  /** Shows a step and moves the focus to it, which also announces it. A message of the other step goes. */
  function show(next: Step, accepted: string | null): void {
    dismissToast();
    flushSync(() => {
      setZipError(undefined);
      setState((before) => ({ step: next, zip: accepted ?? before.zip }));
    });
    if (next === 'details') headingRef.current?.focus();
    else findZipInput()?.focus();
  }

  /** Shows the second step, or the reason why not. */
  function enter(): void {
    const accepted = currentZip();
    const input = findZipInput();
    if (accepted === null) {
      flushSync(() => {
        setZipError(zipToast.description);
        setState((before) => ({ ...before, step: 'zip' }));
      });
      input?.focus();
      showToast({ ...zipToast, tone: 'destructive', isInPage: true });
      return;
    }
    if (input !== null) input.value = accepted;
    if (stepInHistory() !== 'details') {
      window.history.replaceState(stateWith('zip'), '');
      window.history.pushState(stateWith('details'), '');
    }
    if (zipFive(accepted) !== null) zipEntered(form);
    show('details', accepted);
  }

  function back(): void {
    if (stepInHistory() === 'details') window.history.back();
    else show('zip', null);
  }

  /** Shows the step of the history entry. The browser (reload) or this code (confirmation) has kept the ZIP. */
  function followHistory(): void {
    const wanted = stepInHistory();
    if (wanted === null) return;
    const accepted = currentZip() ?? acceptedZip(form, keptValue(form, 'zip_code'));
    show(accepted === null ? 'zip' : wanted, accepted);
  }

  /** Removes the message about the ZIP once it no longer applies. */
  function onZipInput({ currentTarget }: InputEvent<HTMLInputElement>): void {
    dropBeforeZip(currentTarget);
    if (zipError === undefined || currentZip() === null) return;
    setZipError(undefined);
    dismissToast();
  }

  const follow = useEffectEvent(followHistory);
  useEffect(() => {
    const { pathname } = window.location;
    if (stepInHistory() === 'details') follow();
    const listen = (): void => {
      if (window.location.pathname === pathname) follow();
    };
    window.addEventListener('popstate', listen);
    return () => window.removeEventListener('popstate', listen);
  }, []);

  /** Whether the current ZIP is accepted. */
  const hasZip = (): boolean => currentZip() !== null;
  return { step, zip, zipError, headingRef, hasZip, enter, back, onZipInput };
}
