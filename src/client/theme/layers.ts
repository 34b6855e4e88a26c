/** Dialogs and drawers. Each is on the page only while it is open, after those that it is above. */
export const modals = '[data-modal]';

/** Modals, menus and panels. */
const layers = `${modals}, [data-overlay]`;

/** What is open above everything else on the page, or null. */
export function findTopLayer(selector = layers): Element | null {
  return [...document.querySelectorAll(selector)].at(-1) ?? null;
}
