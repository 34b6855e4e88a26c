import type { PageFormKey } from '#shared/leads/leads.ts';

/** The forms of this document that have reported their ZIP. */
const reported = new Set<PageFormKey>();

/**
 * Reports once that a visitor entered a complete ZIP into a form, without the ZIP. Staff see how many visitors get this
 * far. A report that fails is lost.
 */
export function zipEntered(form: PageFormKey): void {
  if (reported.has(form)) return;
  reported.add(form);
  import('./leadApi.ts').then(({ reportZipEntered }) => reportZipEntered(form)).catch(() => undefined);
}
