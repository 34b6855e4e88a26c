import { leadFields } from '#shared/leads/leadFieldTable.ts';
import type { PageFormKey } from '#shared/leads/leadForms.ts';

/** What was typed in this document, kept in memory for a visitor who goes back from the confirmation. */
const kept = new Map<PageFormKey, Values>();

/** The form of this document that was sent last. */
let lastSent: PageFormKey | undefined;

type Values = Partial<Record<string, string>>;

/** The form being filled in, kept in this tab for a reload until a lead is stored. It never leaves the browser. */
const draftKey = 'lead.draft';

/** The contact fields, and the answers to the brand's questions. */
function findInputs(form: HTMLFormElement): HTMLInputElement[] {
  const names = leadFields.map((field) => `input[name=${field}]`);
  return [...form.querySelectorAll<HTMLInputElement>([...names, 'input[name^="answers["]'].join())];
}

function listValues(form: HTMLFormElement): Values {
  const entered = findInputs(form).filter(({ type, checked }) => type !== 'radio' || checked);
  return Object.fromEntries(entered.map(({ name, value }) => [name, value]));
}

export function keepValues(form: PageFormKey, element: HTMLFormElement): void {
  kept.set(form, listValues(element));
}

/** Keeps what is typed through a reload. Without storage (private windows) a reload empties the form. */
export function saveDraft(form: PageFormKey, element: HTMLFormElement): void {
  storeDraft(form, listValues(element));
}

function storeDraft(form: PageFormKey, values: Values): void {
  try {
    sessionStorage.setItem(draftKey, JSON.stringify({ form, values }));
  } catch {
    // The form works without it.
  }
}

/** Offers what was sent last to the form of the next page, so that nobody types it again for another provider. */
export function carryDraft(form: PageFormKey): void {
  const values = lastSent && kept.get(lastSent);
  if (values) storeDraft(form, values);
}

/** Offers a ZIP code that was entered elsewhere to the form of the next page. */
export function carryZip(form: PageFormKey, zip: string): void {
  storeDraft(form, { ...readDraft(form), zip_code: zip });
}

/** Saves what software filled in without events, when the page is left. Values already sent aren't stored again. */
export function saveUnsentDraft(form: PageFormKey, element: HTMLFormElement): void {
  if (!kept.has(form) && Object.values(listValues(element)).some((value) => value !== ''))
    saveDraft(form, element);
}

/** `sent`: the form whose lead was stored. */
export function removeDraft(sent?: PageFormKey): void {
  if (sent) lastSent = sent;
  try {
    sessionStorage.removeItem(draftKey);
  } catch {
    // Without storage there is no draft.
  }
}

function readDraft(form: PageFormKey): Values {
  try {
    const draft: unknown = JSON.parse(sessionStorage.getItem(draftKey) ?? 'null');
    if (typeof draft !== 'object' || draft === null || !('form' in draft) || !('values' in draft)) return {};
    const { values } = draft;
    if (draft.form !== form || typeof values !== 'object' || values === null) return {};
    return Object.fromEntries(
      Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return {};
  }
}

/** What was typed into one field before the confirmation or the reload. */
export function keptValue(form: PageFormKey, name: string): string {
  return (kept.get(form) ?? readDraft(form))[name] ?? '';
}

/**
 * The confirmation is shown without loading a new document, so the browser restores no fields when the visitor goes
 * back, and a reload restores none that scripts filled in. This does it instead. The consent box stays unchecked:
 * consent is never repeated for a visitor.
 */
export function restoreValues(form: PageFormKey, element: HTMLFormElement): void {
  const values = kept.get(form) ?? readDraft(form);
  const entered = listValues(element);
  for (const input of findInputs(element)) {
    const value = values[input.name] ?? '';
    if ((entered[input.name] ?? '') !== '') continue;
    if (input.type === 'radio') input.checked = input.value === value;
    else input.value = value;
  }
}
