import { leadFields } from '#shared/leads/leadFieldList.ts';
import { providerFormAnchor } from '#shared/pages/paths.ts';

function inputOf(form: HTMLFormElement, name: string): HTMLInputElement | null {
  const control = form.elements.namedItem(name);
  return control instanceof HTMLInputElement ? control : null;
}

/**
 * Takes a visitor from a call to action to the lead form: fills in the ZIP just entered elsewhere on the page (an
 * empty one leaves the field as it is), scrolls to the form and focuses its first empty field. Returns false if the
 * page has no lead form.
 */
export function offerZip(zip: string): boolean {
  const form = document.querySelector<HTMLFormElement>('form[data-lead-form]');
  if (form === null) return false;
  const zipInput = inputOf(form, 'zip_code');
  if (zip !== '' && zipInput !== null) {
    // Also over an older one, from a draft or typed before: it would send the lead to another place than the hero says.
    zipInput.value = zip;
    zipInput.dispatchEvent(new Event('input', { bubbles: true }));
  }
  // As a link to the form does. It takes the focus away, so it comes first.
  if (document.getElementById(providerFormAnchor) !== null) window.location.hash = providerFormAnchor;
  (form.closest('section') ?? form).scrollIntoView();
  const inputs = ['zip_code' as const, ...leadFields].map((field) => inputOf(form, field));
  (inputs.find((input) => input?.value === '') ?? zipInput)?.focus({ preventScroll: true });
  return true;
}
