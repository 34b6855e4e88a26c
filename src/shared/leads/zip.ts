/** `12345-6789` and ` 12345 ` become `12345`. Anything that is not a US ZIP becomes null. */
export function zipFive(typed: string): string | null {
  return /^\s*(\d{5})(?:-?\d{4})?\s*$/.exec(typed)?.[1] ?? null;
}

/**
 * The five digits of the ZIP in pasted text such as ` 80202`, `80202-1234`, `8 0 2 0 2` or `Denver, CO 80202`: the last
 * such group of an address. Null if there is none.
 */
export function zipInText(text: string): string | null {
  const compact = text.replace(/\s+/g, '');
  if (/^\d{5}(?:-?\d{4})?$/.test(compact)) return compact.slice(0, 5);
  return [...text.matchAll(/(?<!\d)(\d{5})(?:-\d{4})?(?!\d)/g)].at(-1)?.[1] ?? null;
}
