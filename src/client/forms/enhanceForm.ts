import { groupedPhone } from '#shared/leads/phone.ts';
import { zipInText } from '#shared/leads/zip.ts';
import { honeypotName } from '#shared/leads/quarantine.ts';
import {
  createFormSession,
  type FieldErrors,
  type FormOutcome,
  type FormSessionOptions,
} from './formSession.ts';

/** What every form sends. Consent may still be missing. */
export interface ConsentValues {
  acceptance_consent: boolean;
  acceptance_message: string;
  [honeypotName]: string;
}

/** Values that may be sent: the visitor gave consent. */
type Consented<Values> = Values & { acceptance_consent: true };

/** What one form adds: how it is read, checked and sent. */
export interface FormRules<Values extends ConsentValues, Input, Created> extends Pick<
  FormSessionOptions<Consented<Values>, Input, Created>,
  'toInput' | 'computeFingerprint' | 'loadApi'
> {
  /** Reads the form itself, not React state: autofill and page translation change inputs without notifying React. */
  read: (data: FormData) => Values;
  /** All messages for these values. Empty if the form may be sent. */
  findErrors: (values: Values) => FieldErrors;
}

/** What the controller needs to know about the page. */
export interface PageListener {
  /** Called now and whenever the network is lost or returns. */
  onNetwork: (isOnline: boolean) => void;
  /** Called when the browser restores the page from its cache, in the state in which it was left. */
  onRestored: () => void;
  /** Called if a submit has been pending for a while. */
  onSlow: () => void;
}

/** After this time a pending submit is reported as slow. */
const slowAfterMs = 8000;

/** The script behavior of one form in the page. */
export interface EnhancedForm<Created> {
  /** Prepares the submit: loads its code and fetches a form token. */
  touch: () => void;
  /** Messages for the current values. */
  errors: () => FieldErrors;
  /** The messages that remain after an edit of the named field. */
  errorsAfterEdit: (shown: FieldErrors, edited: string) => FieldErrors;
  /** Sends the current values. Null without consent or while an earlier submit is pending. */
  submit: () => Promise<FormOutcome<Created>> | null;
  /** Removes every listener. */
  end: () => void;
}

/** Attaches the behavior of `rules` to a plain HTML form. Loaded when the page is live. */
export function enhanceForm<Values extends ConsentValues, Input extends object, Created>(
  element: HTMLFormElement,
  rules: FormRules<Values, Input, Created>,
  { pageToken, onNetwork, onRestored, onSlow }: PageListener & { pageToken: string },
): EnhancedForm<Created> {
  const session = createFormSession({
    ...rules,
    pageToken,
    loadApi: () => loadWithToaster(rules.loadApi),
    isOnline: () => navigator.onLine,
  });
  const read = (): Values => rules.read(new FormData(element));
  const listening = new AbortController();
  const { signal } = listening;
  const reportNetwork = (): void => onNetwork(navigator.onLine);
  window.addEventListener('online', reportNetwork, { signal });
  window.addEventListener('offline', reportNetwork, { signal });
  window.addEventListener('pageshow', (event) => event.persisted && onRestored(), { signal });
  document.addEventListener('paste', pasteZip, { signal });
  element.addEventListener('focusout', groupPhone, { signal });
  reportNetwork();
  if (element.contains(document.activeElement)) session.touch();
  return {
    touch: session.touch,
    errors: () => rules.findErrors(read()),
    errorsAfterEdit: (shown, edited) => errorsAfterEdit(shown, edited, rules.findErrors(read())),
    submit: () => {
      const values = read();
      const pending = hasConsent(values) ? session.submit(values) : null;
      if (pending === null) return null;
      const timer = setTimeout(onSlow, slowAfterMs);
      return pending.finally(() => clearTimeout(timer));
    },
    end: () => listening.abort(),
  };
}

function hasConsent<Values extends ConsentValues>(values: Values): values is Consented<Values> {
  return values.acceptance_consent;
}

/** Loads the toast's code too. Most failures are a lost network, and then it could no longer be loaded. */
async function loadWithToaster<Api>(loadApi: () => Promise<Api>): Promise<Api> {
  const [api] = await Promise.all([loadApi(), import('#client/ui/Toaster.tsx').catch(() => null)]);
  return api;
}

/** An edit removes the message of the edited field unless the same message still applies. It never adds one. */
export function errorsAfterEdit(shown: FieldErrors, edited: string, current: FieldErrors): FieldErrors {
  if (shown[edited] === undefined || shown[edited] === current[edited]) return shown;
  const { [edited]: _removed, ...rest } = shown;
  return rest;
}

/** Pastes only a text's ZIP: five characters would cut off a text that starts with a space or a city. */
function pasteZip(event: ClipboardEvent): void {
  const { target, clipboardData } = event;
  if (!(target instanceof HTMLInputElement) || target.autocomplete !== 'postal-code') return;
  const zip = zipInText(clipboardData?.getData('text') ?? '');
  if (zip === null) return;
  event.preventDefault();
  target.setRangeText(zip, 0, target.value.length, 'end');
  target.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Shows a phone number as people write it, once its field is left: while somebody types, nothing moves. */
function groupPhone({ target }: FocusEvent): void {
  if (!(target instanceof HTMLInputElement) || target.type !== 'tel') return;
  const grouped = groupedPhone(target.value);
  if (grouped !== target.value) target.value = grouped;
}

/** What every form sends besides its fields. */
export function readConsent(data: FormData): ConsentValues {
  return {
    acceptance_consent: data.has('acceptance_consent'),
    acceptance_message: textIn(data, 'acceptance_message'),
    [honeypotName]: textIn(data, honeypotName),
  };
}

/** The text of a form entry. Empty if it is missing. */
export function textIn(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
}
