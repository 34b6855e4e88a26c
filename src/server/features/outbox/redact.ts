import type { LeadRow } from '#server/db/schema/index.ts';

const keptLength = 1024;
/** What is looked through: what is replaced may become shorter. */
const readLength = 4 * keptLength;
const gone = '[…]';

type Named = Pick<LeadRow, 'firstName' | 'lastName' | 'email' | 'phone'>;

/** Starts only where a word does: tried from each of its letters, a long word without an `@` would take quadratic time. */
const email =
  /(?<![^\s@"'<>()[\]{},;:=&?/\\])[^\s@"'<>()[\]{},;:=&?/\\]+(?:@|%40)[^\s@"'<>()[\]{},;:=&?/\\]+/gi;
/** Ten digits or more, however they are written: a phone number anywhere. */
const phone = /\+?\d(?:[\s().\-/]*\d){9,}/g;

/** Letters that differ in case alone are the same, as in a pattern that ignores case: the Kelvin sign and k, the long s and s. */
function folded(text: string): string {
  return text.toLowerCase().toUpperCase();
}

/**
 * A text without the person's own words, the longest looked for first; a name must stand alone, or every 'Al' in a text would go. Hardly any answer
 * has one, and making the pattern takes longer than all the rest of a delivery: so it is made where it is needed.
 */
function withoutWords(text: string, { firstName, lastName, email: address, phone: number }: Named): string {
  const words = [address, number, `${firstName} ${lastName}`, firstName, lastName]
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const looked = folded(text);
  if (!words.some((word) => looked.includes(folded(word)))) return text;
  const patterns = words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return text.replace(
    new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${patterns.join('|')})(?![\p{L}\p{N}])`, 'giu'),
    gone,
  );
}

/** `é` written as `\u00e9`, as JSON may. */
function withoutEscapes(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** The part up to the last white space; nothing where there is none. A pattern anchored at the end would take quadratic time. */
function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 0 && !/\s/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/**
 * The first kilobyte of what a far side answered, fit to be kept and shown: without addresses, phone numbers and the lead's own names, and without
 * characters that Postgres refuses. A word that the cut would leave half of goes whole. Takes linear time, whatever the answer holds.
 */
export function redact(answer: string, lead: Named): string {
  const isCut = answer.length > readLength;
  const read = isCut ? withoutLastWord(answer.slice(0, readLength)) : answer;
  return withoutWords(withoutEscapes(read).replace(/[\p{Cc}\p{Cs}]+/gu, ' '), lead)
    .replace(email, gone)
    .replace(phone, gone)
    .trim()
    .slice(0, keptLength)
    .toWellFormed();
}
