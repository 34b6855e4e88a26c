import { plainText } from './plainText.ts';

/** Direction marks and the like, which a copied text may contain between its digits. */
const invisible = /\p{Cf}/gu;

/** `12345-6789` and ` 12345 ` become `12345`, with digits of any script. Anything that is not a US ZIP becomes null. */
export function zipFive(typed: string): string | null {
  return /^\s*(\d{5})(?:-?\d{4})?\s*$/.exec(plainText(typed).replace(invisible, ''))?.[1] ?? null;
}

/** A ZIP as it is stored: `12345-6789` as `12345`, any other text as typed. `zip5` has its five digits. */
export function storedZip(typed: string): string {
  return /^\d{5}-?\d{4}$/.test(typed) ? typed.slice(0, 5) : typed;
}

/**
 * The five digits of the ZIP in a text such as ` 80202`, `80202-1234`, `8 0 2 0 2` or `Denver, CO 80202`: the last such
 * group of an address. Null if there is none.
 */
export function zipInText(typed: string): string | null {
  const text = plainText(typed).replace(invisible, '');
  const compact = text.replace(/\s+/g, '');
  if (/^\d{5}(?:-?\d{4})?$/.test(compact)) return compact.slice(0, 5);
  return [...text.matchAll(/(?<!\d)(\d{5})(?:-\d{4})?(?!\d)/g)].at(-1)?.[1] ?? null;
}
