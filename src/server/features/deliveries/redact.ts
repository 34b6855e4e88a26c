import type { LeadRow } from '../../db/schema/index.ts';

const keptLength = 1024;
/** What is looked through: what is replaced may become shorter. */
const readLength = 4 * keptLength;
const gone = '[…]';

type Named = Pick<LeadRow, 'firstName' | 'lastName' | 'email' | 'phone'>;

const email = /[^\s@"'<>()[\]{},;:=&?/\\]+(?:@|%40)[^\s@"'<>()[\]{},;:=&?/\\]+/gi;
/** Ten digits or more, however they are written: a phone number anywhere. */
const phone = /\+?\d(?:[\s().\-/]*\d){9,}/g;

/** The person's own words as a pattern, the longest first; a name must stand alone, or every 'Al' in a text would go. */
function wordsOf({ firstName, lastName, email: address, phone: number }: Named): RegExp {
  const words = [address, number, `${firstName} ${lastName}`, firstName, lastName]
    .map((word) => word.trim().replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .filter((word) => word !== '')
    .toSorted((a, b) => b.length - a.length);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words.join('|')})(?![\p{L}\p{N}])`, 'giu');
}

/** `é` written as `\u00e9`, as JSON may. */
function withoutEscapes(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/**
 * The first kilobyte of what a far side answered, fit to be kept and shown: without addresses, phone numbers and the lead's own names, and without
 * characters that Postgres refuses. A word that the cut would leave half of goes whole.
 */
export function redact(answer: string, lead: Named): string {
  const isCut = answer.length > readLength;
  const read = isCut ? answer.slice(0, readLength).replace(/\S*$/, '') : answer;
  return withoutEscapes(read)
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .replace(wordsOf(lead), gone)
    .replace(email, gone)
    .replace(phone, gone)
    .trim()
    .slice(0, keptLength)
    .toWellFormed();
}
