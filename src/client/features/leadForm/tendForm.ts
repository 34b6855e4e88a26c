import type { PageFormKey } from '#shared/leads.ts';
import { keepValues, restoreValues } from './keptValues.ts';
import { pasteZip } from './pasteZip.ts';

export { rememberAttribution } from './attribution.ts';

interface Tended {
  form: PageFormKey;
  element: HTMLFormElement;
  onNetwork: (isOnline: boolean) => void;
}

/**
 * What a form is glad of but doesn't need to be shown and used: a chunk of its own, loaded once the page is live. Gives the form back what
 * was typed before the confirmation, takes pasted ZIPs as they come, and follows the network. Returns its end.
 */
export function tendForm({ form, element, onNetwork }: Tended): () => void {
  const tell = (): void => onNetwork(navigator.onLine);
  restoreValues(form, element);
  tell();
  document.addEventListener('paste', pasteZip);
  window.addEventListener('online', tell);
  window.addEventListener('offline', tell);
  return () => {
    keepValues(form, element);
    document.removeEventListener('paste', pasteZip);
    window.removeEventListener('online', tell);
    window.removeEventListener('offline', tell);
  };
}
