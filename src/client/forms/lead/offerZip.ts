import { leadFields } from '#shared/leads/leadFieldList.ts';
import { providerFormAnchor } from '#shared/pages/paths.ts';

/** What `offerZip` wrote into the field. A second offer may replace it, but not what a visitor typed. */
const offered = new WeakMap<HTMLInputElement, string>();

function inputOf(form: HTMLFormElement, name: string): HTMLInputElement | null {
  const control = form.elements.namedItem(name);
  return control instanceof HTMLInputElement ? control : null;
}

/**
 * Takes a visitor from a call to action to the lead form: fills in the ZIP entered elsewhere on the page unless the
 * visitor typed something else there, scrolls to the form and focuses its first empty field. Returns false if the page
 * has no lead form.
 */
export function offerZip(zip: string): boolean {
  const form = document.querySelector<HTMLFormElement>('form[data-lead-form]');
  if (form === null) return false;
  const zipInput = inputOf(form, 'zip_code');
  if (
    zip !== '' &&
    zipInput !== null &&
    (zipInput.value === '' || zipInput.value === offered.get(zipInput))
  ) {
    zipInput.value = zip;
    offered.set(zipInput, zip);
    zipInput.dispatchEvent(new Event('input', { bubbles: true }));
  }
  // As a link to the form does. It takes the focus away, so it comes first.
  if (document.getElementById(providerFormAnchor) !== null) window.location.hash = providerFormAnchor;
  (form.closest('section') ?? form).scrollIntoView();
  const inputs = ['zip_code' as const, ...leadFields].map((field) => inputOf(form, field));
  (inputs.find((input) => input?.value === '') ?? zipInput)?.focus({ preventScroll: true });
  return true;
}
