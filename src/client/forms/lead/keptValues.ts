import type { PageFormKey } from '#shared/leads/leads.ts';

/** What was typed, for as long as the document lives and nowhere else. */
const kept = new Map<PageFormKey, Record<string, string>>();

/** The contact fields: all that must be filled in. */
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
 * The confirmation is shown without loading a new document, so on the way back the browser has no fields to restore: this does it in its
 * stead. The consent box stays as it is drawn; nobody's consent is repeated for them.
 */
export function restoreValues(form: PageFormKey, element: HTMLFormElement): void {
  const values = kept.get(form);
  if (values === undefined) return;
  for (const input of inputsOf(element)) if (input.value === '') input.value = values[input.name] ?? '';
}
