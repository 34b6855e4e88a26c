import { leadFields } from '#shared/leads/leadFieldList.ts';

/** Marks the lead form in the page for `offerZip`. */
const leadFormSelector = 'form[data-lead-form]';

/** What `offerZip` wrote into the field. A second offer may replace it, but never what was typed. */
const offered = new WeakMap<HTMLInputElement, string>();

function inputOf(form: HTMLFormElement, name: string): HTMLInputElement | null {
  const control = form.elements.namedItem(name);
  return control instanceof HTMLInputElement ? control : null;
}

/**
 * Copies a ZIP entered elsewhere on the page (the hero) to the lead form: fills its ZIP field unless the visitor typed something else
 * there, scrolls to the form and focuses the first empty field. Returns false if the page has no lead form.
 */
export function offerZip(zip: string): boolean {
  const form = document.querySelector<HTMLFormElement>(leadFormSelector);
  if (form === null) return false;
  const zipInput = inputOf(form, 'zip_code');
  if (zipInput !== null && (zipInput.value === '' || zipInput.value === offered.get(zipInput))) {
    zipInput.value = zip;
    offered.set(zipInput, zip);
  }
  (form.closest('section') ?? form).scrollIntoView();
  const empty = leadFields.map((field) => inputOf(form, field)).find((input) => input?.value === '');
  (empty ?? zipInput)?.focus({ preventScroll: true });
  return true;
}
