import { zipInText } from '#shared/leads/zip.ts';

/** On a paste into any of the page's ZIP inputs: five characters' room would cut the ZIP where the pasted text begins with a space or a city. */
export function pasteZip(event: ClipboardEvent): void {
  const { target, clipboardData } = event;
  if (!(target instanceof HTMLInputElement) || target.autocomplete !== 'postal-code') return;
  const zip = zipInText(clipboardData?.getData('text') ?? '');
  if (zip === null) return;
  event.preventDefault();
  target.setRangeText(zip, 0, target.value.length, 'end');
  target.dispatchEvent(new Event('input', { bubbles: true }));
}
