import { type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { dismissToast, showToast } from '#client/ui/Toast.tsx';
import type { FormState } from '#shared/pages/boot.ts';
import { stepForms } from '#shared/brand/stepForms.ts';
import type { StepFormKey } from '#shared/pages/brandContent.ts';
import { keptValue } from './keptValues.ts';
import { acceptedZip } from './zipRules.ts';

export type Step = 'zip' | 'details';

interface StepOptions {
  form: StepFormKey;
  formRef: RefObject<HTMLFormElement | null>;
  posted: FormState | null;
}

export interface StepsController {
  step: Step;
  /** The ZIP the second step goes by; null before there was one. */
  zip: string | null;
  zipError: string | undefined;
  headingRef: RefObject<HTMLHeadingElement | null>;
  /** Whether the ZIP as it stands leads on. */
  hasZip: () => boolean;
  /** Goes to the second step, or says why not. */
  enter: () => void;
  back: () => void;
  /** A message about the ZIP goes away as soon as it no longer holds. */
  onZipInput: () => void;
}

/** The step an entry of the browser's history stands for; null for entries of others, such as a link to a place in the page. */
function stepInHistory(): Step | null {
  const state: unknown = window.history.state;
  if (typeof state !== 'object' || state === null || !('leadStep' in state)) return null;
  return state.leadStep === 'zip' || state.leadStep === 'details' ? state.leadStep : null;
}

function stateWith(leadStep: Step): object {
  const state: unknown = window.history.state;
  return { ...(typeof state === 'object' ? state : null), leadStep };
}

function zipInputOf(form: HTMLFormElement | null): HTMLInputElement | null {
  const control = form?.elements.namedItem('zip_code');
  return control instanceof HTMLInputElement ? control : null;
}

/** Where a page that is drawn after a failed plain post begins; a post of the ZIP alone is one made before scripts had arrived. */
function firstState(form: StepFormKey, posted: FormState | null): { step: Step; zip: string | null } {
  const zip = posted === null ? null : acceptedZip(form, posted.values['zip_code'] ?? '');
  return { step: zip === null ? 'zip' : 'details', zip };
}

/**
 * Two steps of one form. Both stay in the page, so nothing typed is lost; the second is an entry in the browser's history under the same
 * address, so that the browser's back button leads to the first and no ZIP stands in any address.
 */
export function useSteps({ form, formRef, posted }: StepOptions): StepsController {
  const { zipToast } = stepForms[form];
  const [{ step, zip }, setState] = useState(() => firstState(form, posted));
  const [zipError, setZipError] = useState(() =>
    posted !== null && zip === null ? zipToast.description : undefined,
  );
  const headingRef = useRef<HTMLHeadingElement>(null);

  function currentZip(): string | null {
    return acceptedZip(form, zipInputOf(formRef.current)?.value ?? '');
  }

  /** Shows a step and goes there, which also announces it. */
  function show(next: Step, accepted: string | null): void {
    flushSync(() => {
      setZipError(undefined);
      setState((before) => ({ step: next, zip: accepted ?? before.zip }));
    });
    if (next === 'details') headingRef.current?.focus();
    else zipInputOf(formRef.current)?.focus();
  }

  function enter(): void {
    const accepted = currentZip();
    const input = zipInputOf(formRef.current);
    if (accepted === null) {
      flushSync(() => {
        setZipError(zipToast.description);
        setState((before) => ({ ...before, step: 'zip' }));
      });
      input?.focus();
      showToast({ ...zipToast, tone: 'destructive' });
      return;
    }
    dismissToast();
    if (input !== null) input.value = accepted;
    if (stepInHistory() !== 'details') {
      window.history.replaceState(stateWith('zip'), '');
      window.history.pushState(stateWith('details'), '');
    }
    show('details', accepted);
  }

  function back(): void {
    if (stepInHistory() === 'details') window.history.back();
    else show('zip', null);
  }

  /** After a reload the browser restores what was typed, and with it the step; on the way back from the confirmation it is given back a little later. */
  function follow(): void {
    const wanted = stepInHistory();
    if (wanted === null) return;
    const accepted = currentZip() ?? acceptedZip(form, keptValue(form, 'zip_code'));
    show(accepted === null ? 'zip' : wanted, accepted);
  }

  const latest = useRef(follow);
  useEffect(() => {
    latest.current = follow;
  });
  useEffect(() => {
    const { pathname } = window.location;
    if (stepInHistory() === 'details') latest.current();
    const listen = (): void => {
      if (window.location.pathname === pathname) latest.current();
    };
    window.addEventListener('popstate', listen);
    return () => window.removeEventListener('popstate', listen);
  }, []);

  return {
    step,
    zip,
    zipError,
    headingRef,
    hasZip: () => currentZip() !== null,
    enter,
    back,
    onZipInput: () =>
      setZipError((shown) => (shown === undefined || currentZip() !== null ? undefined : shown)),
  };
}
