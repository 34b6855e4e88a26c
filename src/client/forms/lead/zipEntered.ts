import type { PageFormKey } from '#shared/leads/leadForms.ts';

/** The forms of this document that have reported their ZIP. */
const reported = new Set<PageFormKey>();

/** Reports once, without the ZIP, that a form got a complete one, for staff's counts. A failed report is lost. */
export function zipEntered(form: PageFormKey): void {
  if (reported.has(form)) return;
  reported.add(form);
  import('./leadApi.ts').then(({ reportZipEntered }) => reportZipEntered(form)).catch(() => undefined);
}

/**
 * Drops blanks, and words such as `CO` or `zip`, that are typed before a ZIP's digits: the field has room for five
 * characters, and they would cut the ZIP off. Other text stays as typed, because no lead is refused for its ZIP.
 */
export function dropBeforeZip(input: HTMLInputElement): void {
  const zip = input.value.trimStart().replace(/^\P{Nd}{2,}(?=\p{Nd})/u, '');
  if (zip === input.value) return;
  input.value = zip;
  input.setSelectionRange(zip.length, zip.length);
}

/** A form's input of this name. */
export function findInput(form: HTMLFormElement | null, name: string): HTMLInputElement | null {
  const control = form?.elements.namedItem(name);
  return control instanceof HTMLInputElement ? control : null;
}
