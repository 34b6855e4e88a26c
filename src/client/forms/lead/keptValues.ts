import type { PageFormKey } from '#shared/leads/leads.ts';

/** What was typed, kept only in memory and only as long as the document exists. */
const kept = new Map<PageFormKey, Record<string, string>>();

/** The contact fields, which are all required. */
function inputsOf(form: HTMLFormElement): HTMLInputElement[] {
  return [...form.querySelectorAll<HTMLInputElement>('input[required]:not([type=checkbox])')];
}

export function keepValues(form: PageFormKey, element: HTMLFormElement): void {
  kept.set(form, Object.fromEntries(inputsOf(element).map(({ name, value }) => [name, value])));
}

/** What was typed into one field before the confirmation. */
export function keptValue(form: PageFormKey, name: string): string {
  return kept.get(form)?.[name] ?? '';
}

/**
 * The confirmation is shown without loading a new document, so the browser restores no fields when the visitor goes
 * back. This does it instead. The consent box stays unchecked: consent is never repeated for a visitor.
 */
export function restoreValues(form: PageFormKey, element: HTMLFormElement): void {
  const values = kept.get(form);
  if (values === undefined) return;
  for (const input of inputsOf(element)) if (input.value === '') input.value = values[input.name] ?? '';
}
