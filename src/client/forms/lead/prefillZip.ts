import { leadFields } from '#shared/leads/leadFieldTable.ts';
import { providerFormAnchor } from '#shared/pages/paths.ts';
import { findInput } from './zipEntered.ts';

/** How long a keyboard that opens, or a provider's name that arrives, scrolls the form again. */
const settlingMs = 1_500;

/**
 * Takes a visitor from a call to action to the lead form: fills in the ZIP just entered elsewhere on the page (an
 * empty one leaves the field as it is), focuses its first empty field and scrolls so that field and provider are in
 * view. Returns false if the page has no lead form.
 */
export function prefillZip(zip: string): boolean {
  const form = document.querySelector<HTMLFormElement>('form[data-lead-form]');
  if (form === null) return false;
  const zipInput = findInput(form, 'zip_code');
  if (zip !== '' && zipInput !== null) {
    // Also over an older one, from a draft or typed before: it would send the lead to another place than the hero says.
    zipInput.value = zip;
    zipInput.dispatchEvent(new Event('input', { bubbles: true }));
  }
  // As a link to the form does. It takes the focus away, so it comes first.
  if (document.getElementById(providerFormAnchor) !== null) window.location.hash = providerFormAnchor;
  const inputs = ['zip_code' as const, ...leadFields].map((field) => findInput(form, field));
  const first = inputs.find((input) => input?.value === '') ?? zipInput;
  first?.focus({ preventScroll: true });
  if (first === null) form.scrollIntoView();
  else keepInView(form, first);
  return true;
}

/** Scrolls to a field, and again if the keyboard opens or the provider's card grows while the field has the focus. */
function keepInView(form: HTMLFormElement, field: HTMLInputElement): void {
  const preview = form.querySelector('[data-match-preview]');
  const show = (): void => {
    if (document.activeElement === field) scrollToField(field, [form.closest('section'), form, preview]);
  };
  show();
  const growth = new ResizeObserver(show);
  if (preview !== null) growth.observe(preview);
  const end = AbortSignal.timeout(settlingMs);
  end.addEventListener('abort', () => growth.disconnect());
  window.visualViewport?.addEventListener('resize', show, { signal: end });
}

/** Scrolls to the first of the elements that is in view together with the field below it, else to the field. */
function scrollToField(field: HTMLInputElement, elements: readonly (Element | null)[]): void {
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement);
  const covered = [scrollPaddingTop, scrollPaddingBottom].reduce(
    (sum, px) => sum + (Number.parseFloat(px) || 0),
    0,
  );
  const height = (window.visualViewport?.height ?? window.innerHeight) - covered;
  const { bottom } = field.getBoundingClientRect();
  const start = elements.find((element) => {
    if (element === null) return false;
    const margin = Number.parseFloat(getComputedStyle(element).scrollMarginTop) || 0;
    return bottom - element.getBoundingClientRect().top + margin <= height;
  });
  (start ?? field.closest('label') ?? field).scrollIntoView();
}
