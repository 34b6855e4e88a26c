import { providerFormAnchor } from '#shared/pages/paths.ts';
import { onStoppedClick } from '#client/ui/deferred.tsx';
import { findInput } from './zipEntered.ts';

/** How long a keyboard that opens, or a provider's name that arrives, scrolls the form again. */
const settlingMs = 1_500;

/**
 * Takes a visitor from a call to action to the lead form: fills in the ZIP just entered elsewhere on the page (an
 * empty one leaves the field as it is), focuses its first empty field and scrolls so that field and provider are in
 * view. Returns false if the page has no lead form.
 */
export function prefillZip(zip: string): boolean {
  const form = findForm();
  if (form === null) return false;
  // A visitor who was faster already types there, maybe another ZIP.
  if (form.contains(document.activeElement)) return true;
  const zipInput = fillInZip(form, zip);
  // As a link to the form does. It takes the focus away, so it comes first.
  if (document.getElementById(providerFormAnchor) !== null) window.location.hash = providerFormAnchor;
  const first = listTextInputs(form).find((input) => input.value === '') ?? zipInput;
  first?.focus({ preventScroll: true });
  if (first === null) form.scrollIntoView();
  else keepInView(form, first);
  return true;
}

function findForm(): HTMLFormElement | null {
  return document.querySelector<HTMLFormElement>(
    `form[data-lead-form], #${providerFormAnchor} form[method=post]`,
  );
}

/** Fills in the ZIP, also over an older one: it would send the lead to another place than the hero says. */
function fillInZip(form: HTMLFormElement, zip: string): HTMLInputElement | null {
  const input = findInput(form, 'zip_code');
  if (zip === '' || input === null || input.value === zip) return input;
  input.value = zip;
  input.dispatchEvent(new Event('input', { bubbles: true }));
  return input;
}

/** Fills in the ZIP ahead of `prefillZip`, so that the form has unfolded before it comes into view. */
export function prepareForm(zip: string): void {
  const form = findForm();
  if (form !== null) fillInZip(form, zip);
}

/** The inputs to type into, in the order shown. */
function listTextInputs(form: HTMLFormElement): HTMLInputElement[] {
  const inputs = [...form.querySelectorAll<HTMLInputElement>('input[required]')];
  return inputs.filter(({ type, name }) => type !== 'checkbox' && name !== '');
}

/**
 * Makes every link to the page's form do this, and an address with the form's anchor, which pages without a form link
 * to. Call it once per document. A page that is shown again, or a visitor who moved on, keeps the place.
 */
export function followFormLinks(): void {
  const anchor = `#${providerFormAnchor}`;
  const follow = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const isPlain = !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    const isForm = link?.href === `${location.href.split('#', 1)[0]}${anchor}`;
    if (isPlain && isForm && prefillZip('')) event.preventDefault();
  };
  document.addEventListener('click', follow);
  onStoppedClick(follow);
  if (location.hash === anchor && isAtAnchor()) prefillZip('');
}

/** Whether a link has just opened the page at its form, and the visitor has neither scrolled nor chosen a field. */
function isAtAnchor(): boolean {
  const [entry] = performance.getEntriesByType('navigation');
  const isNew = entry instanceof PerformanceNavigationTiming && entry.type === 'navigate';
  const top = document.getElementById(providerFormAnchor)?.getBoundingClientRect().top ?? Infinity;
  return isNew && document.activeElement === document.body && top >= 0 && top < window.innerHeight;
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
