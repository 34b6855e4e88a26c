type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The forms of the server's HTML that are not live yet, by address. */
const served = new Map<string, HTMLFormElement>();
/** The control of these forms that has the focus, or lost it only because it was removed. */
let focused: Control | null = null;

function getAddress(form: HTMLFormElement): string {
  return form.getAttribute('action') ?? '';
}

function isControl(target: unknown): target is Control {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  );
}

function follow({ target }: Pick<Event, 'target'>): void {
  focused =
    isControl(target) && target.form !== null && served.get(getAddress(target.form)) === target.form
      ? target
      : null;
}

/**
 * Remembers the forms that the server sent, before React takes them over. If the page was changed before that (a
 * translation, an element of a password manager), React replaces a form by a new, empty one. The old element keeps what
 * was typed or filled in, until the end, also without any event.
 */
export function rememberServedForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[method=post]'))
    served.set(getAddress(form), form);
  if (served.size === 0) return;
  follow({ target: document.activeElement });
  // Before React, which stops events in parts that aren't live yet.
  document.addEventListener('focusin', follow, { capture: true });
  document.addEventListener('focusout', ({ target }) => queueMicrotask(() => leave(target)), {
    capture: true,
  });
}

/** Browsers also report the removal of a control as a loss of the focus, before it happens. Then it isn't left. */
function leave(target: EventTarget | null): void {
  if (target === focused && focused?.isConnected === true && document.activeElement !== focused)
    focused = null;
}

/** What a person can enter. Hidden inputs are the page's, and a consent is never repeated for a person. */
function listControls(form: HTMLFormElement): Control[] {
  return [...form.elements]
    .filter(isControl)
    .filter(({ type }) => !['hidden', 'submit', 'checkbox', 'radio'].includes(type));
}

function listBoxes(form: HTMLFormElement): HTMLInputElement[] {
  return [...form.querySelectorAll<HTMLInputElement>('input[type=checkbox]')];
}

/** The radio button that the same choice has in another copy of its form. */
function findRadio(form: HTMLFormElement, { name, value }: Control): HTMLInputElement | undefined {
  const radios = [...form.querySelectorAll<HTMLInputElement>('input[type=radio]')];
  return radios.find((radio) => radio.name === name && radio.value === value);
}

/**
 * Call it when a form is in the page, before the browser shows it. If it replaced the server's, copies what was entered
 * there, with focus and caret. A box stays ticked only if the person's box was ticked, too.
 */
export function takeOverServedForm(form: HTMLFormElement): void {
  const old = served.get(getAddress(form));
  served.delete(getAddress(form));
  if (old === undefined || old === form) return;
  const entered = new Map(listControls(old).map((control) => [control.name, control]));
  for (const control of listControls(form)) control.value = entered.get(control.name)?.value ?? control.value;
  for (const chosen of old.querySelectorAll<HTMLInputElement>('input[type=radio]:checked')) {
    const radio = findRadio(form, chosen);
    if (radio !== undefined) radio.checked = true;
  }
  const ticked = new Set(listBoxes(old).flatMap(({ name, checked }) => (checked ? [name] : [])));
  for (const box of listBoxes(form)) box.checked &&= ticked.has(box.name);
  if (focused !== null && old.contains(focused)) moveFocus(focused, form);
}

/** A person who has moved on to another part of the page keeps their place. */
function moveFocus(from: Control, form: HTMLFormElement): void {
  focused = null;
  const to = from.type === 'radio' ? findRadio(form, from) : form.elements.namedItem(from.name);
  const { activeElement } = document;
  const isElsewhere =
    activeElement !== null && !activeElement.matches('body, main') && !form.contains(activeElement);
  if (!isControl(to) || isElsewhere) return;
  to.focus({ preventScroll: true });
  // An email input has no selection that scripts may read.
  if (from instanceof HTMLSelectElement || to instanceof HTMLSelectElement || from.selectionStart === null)
    return;
  to.setSelectionRange(from.selectionStart, from.selectionEnd);
}
