import { plainText } from '../formats/text.ts';

/** Direction marks and the like, which a copied text may contain between its digits. */
const invisible = /\p{Cf}/gu;

/** `12345-6789`, `123 45` and ` 12345 ` become `12345`, also in other scripts' digits. Null if no US ZIP. */
export function zipFive(typed: string): string | null {
  const compact = plainText(typed).replace(invisible, '').replace(/\s+/g, '');
  return /^(\d{5})(?:-?\d{4})?$/.exec(compact)?.[1] ?? null;
}

/** A ZIP as it is stored: `12345-6789` as `12345`, any other text as typed. `zip5` has its five digits. */
export function storedZip(typed: string): string {
  return /^\d{5}-?\d{4}$/.test(typed) ? typed.slice(0, 5) : typed;
}

/** The last ZIP's five digits in ` 80202`, `80202-1234`, `8 0 2 0 2` or `Denver, CO 80202`; null for none. */
export function zipInText(typed: string): string | null {
  const text = plainText(typed).replace(invisible, '');
  // What follows a ZIP and a hyphen is no ZIP, however many digits it has.
  const inAddress = text.matchAll(/(?<!\d)(\d{5})(?:\s*-\s*\d+)?(?!\d)/g);
  return zipFive(text) ?? [...inAddress].at(-1)?.[1] ?? null;
}
