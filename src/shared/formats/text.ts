/** Parses an absolute URL, or one relative to `base`. Null if invalid. Some supported browsers lack `URL.parse`. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** Direction marks, soft hyphens, joiners, fillers and others that are never displayed. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;

/** A text without characters that nobody sees: they reorder, hide or imitate what others read. */
export function visibleText(text: string): string {
  return text.replace(invisible, '');
}

/**
 * A value as ASCII JSON, safe inside a script element: without `<`, neither `</script>` nor `<!--` can occur. Escaped
 * characters occur only in strings, where the escape means the same.
 */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\x7f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** FNV-1a with 32 bits: distinguishes texts in links. Not for secrets. */
export function textTag(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
}

/**
 * Where a spreadsheet could see a formula (OWASP, "CSV injection"): at the start of a cell, and after a separator
 * inside a cell, since spreadsheets in some countries split at semicolons or tabs and ignore quotes. East Asian
 * spreadsheets accept full-width characters. Apostrophes in front count, so that a guard can be removed again.
 */
const formulaAt = /^(?='*[=+\-@＝＋－＠\t\r\n])|(?<=[;,\t\r\n])(?='*"*[=+\-@＝＋－＠])/gu;
const guardAt = /^'(?='*[=+\-@＝＋－＠\t\r\n])|(?<=[;,\t\r\n])'(?='*"*[=+\-@＝＋－＠])/gu;

/** A cell's text with an apostrophe before each formula, which makes it plain text. */
export function guardFormulas(text: string): string {
  return text.replace(formulaAt, "'");
}

/** The text that `guardFormulas` was given. */
export function removeGuards(text: string): string {
  return text.replace(guardAt, '');
}

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

const htmlEscapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
};

/** React's five replacements, for text and attributes: filled values must equal what React renders. */
export function escapeHtml(text: string): string {
  return /["'&<>]/.test(text)
    ? text.replace(/["'&<>]/g, (character) => htmlEscapes[character] ?? character)
    : text;
}
