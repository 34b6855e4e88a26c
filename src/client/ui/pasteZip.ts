import type { ClipboardEvent } from 'react';
import { zipInText } from '#shared/zip.ts';

/** For `onPaste` of a ZIP input or of a form around one: a field of five characters would cut a leading space's worth off the ZIP. */
export function pasteZip(event: ClipboardEvent): void {
  const { target, clipboardData } = event;
  if (!(target instanceof HTMLInputElement) || target.autocomplete !== 'postal-code') return;
  const zip = zipInText(clipboardData.getData('text'));
  if (zip === null) return;
  event.preventDefault();
  target.setRangeText(zip, 0, target.value.length, 'end');
  target.dispatchEvent(new Event('input', { bubbles: true }));
}
