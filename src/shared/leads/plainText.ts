const nonAscii = /[^\0-\x7f]/;

/** A decimal digit of any script as 0 to 9. Unicode encodes the ten digits of a script one after the other. */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value += 1;
  return String(value);
}

/**
 * A ZIP, phone or email as it is read: compatibility characters (fullwidth letters and the like) in their plain form,
 * decimal digits of any script as 0 to 9, and any dash as `-`. What was typed is stored beside it.
 */
export function plainText(typed: string): string {
  if (!nonAscii.test(typed)) return typed;
  // Japanese keyboards type the sound mark for a dash.
  return typed
    .normalize('NFKC')
    .replace(/[\p{Pd}\u2212\u30fc]/gu, '-')
    .replace(/\p{Nd}/gu, asciiDigit);
}
