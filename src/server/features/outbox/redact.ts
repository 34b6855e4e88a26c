import { describeLeadField, leadFields, leadFieldTable } from '#shared/leads/leadFieldTable.ts';
import type { LeadRow } from '#server/db/schema/index.ts';
import type { LeadFieldRow } from '../identity/leadFieldValues.ts';
import { z } from 'zod';

const storedLength = 1024;
/** More is read than stored: replaced parts become shorter. */
const readLength = 4 * storedLength;
const redacted = '[…]';

type Named = Partial<LeadFieldRow & Pick<LeadRow, 'answers'>>;
/** Not the ZIP: other numbers of an answer have five digits too. */
const personalColumns = leadFields
  .filter((field) => describeLeadField(field).kind !== 'zip')
  .map((field) => leadFieldTable[field].column);

/** Matches only from the start of a word: from each letter, a long word without an `@` would need quadratic time. */
const email =
  /(?<![^\s@"'<>()[\]{},;:=&?/\\])[^\s@"'<>()[\]{},;:=&?/\\]+(?:@|%40)[^\s@"'<>()[\]{},;:=&?/\\]+/gi;
/** Ten digits or more, with any separators: a phone number of any country. */
const phone = /\+?\d(?:[\s().\-/]*\d){9,}/g;

/** Equal for letters that a case-insensitive pattern equates, also the Kelvin sign and k, and the long s and s. */
function folded(text: string): string {
  return text.toLowerCase().toUpperCase();
}

/**
 * A text without the person's details, the longest replaced first. A name must be a whole word, or every 'Al' would be
 * replaced. The pattern is compiled only if needed: that costs more than the rest of a delivery.
 */
function withoutWords(text: string, lead: Named): string {
  const { firstName = '', lastName = '' } = lead;
  const answers = (lead.answers ?? []).map(({ answer }) => answer);
  const words = [
    `${firstName} ${lastName}`,
    ...personalColumns.map((column) => lead[column] ?? ''),
    ...answers,
  ]
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const foldedText = folded(text);
  if (!words.some((word) => foldedText.includes(folded(word)))) return text;
  const patterns = words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return text.replace(
    new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${patterns.join('|')})(?![\p{L}\p{N}])`, 'giu'),
    redacted,
  );
}

/** `\u00e9` as `é`: JSON may contain either. */
function withoutEscapes(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** The part up to the last white space, or empty. A pattern anchored at the end would need quadratic time. */
function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 0 && !/\s/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/**
 * The first kilobyte of a recipient's answer, safe to store and show: without contact details, the lead's names and
 * answers, a word that the limit cuts, and characters that Postgres rejects. Linear time for any answer.
 */
export function redact(answer: string, lead: Named): string {
  const isCut = answer.length > readLength;
  const read = isCut ? withoutLastWord(answer.slice(0, readLength)) : answer;
  return withoutWords(withoutEscapes(read).replace(/[\p{Cc}\p{Cs}]+/gu, ' '), lead)
    .replace(email, redacted)
    .replace(phone, redacted)
    .trim()
    .slice(0, storedLength)
    .toWellFormed();
}

/** A stored answer is cut to a kilobyte, so its JSON may be incomplete. */
const shownLength = 120;

const sentence = z.string().trim().min(1);
const described = z.object({ message: sentence });
/** The fields in which receivers say what is wrong, the most telling first. */
const answer = z.union([
  described.transform(({ message }) => message),
  z.object({ error: sentence }).transform(({ error }) => error),
  z.object({ error: described }).transform(({ error }) => error.message),
  z.object({ errors: z.tuple([described], z.unknown()) }).transform(({ errors: [{ message }] }) => message),
  z.object({ detail: sentence }).transform(({ detail }) => detail),
]);

/** The same fields of JSON that was cut. */
const cutField = /"(?:message|error)"\s*:\s*"((?:[^"\\]|\\.)+)/;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The value of a field in JSON that was cut, up to the cut. */
function cutValue(text: string): string | null {
  const raw = /^\s*[[{]/.test(text) ? cutField.exec(text)?.[1] : undefined;
  return raw === undefined
    ? null
    : z
        .string()
        .catch('')
        .parse(parse(`"${raw}"`))
        .trim() || null;
}

/** The receiver's sentence (at most 120 characters): JSON `message` or `error`, or a mail server's. Otherwise null. */
export function toAnswerText(stored: string, { isMail = false } = {}): string | null {
  const found = isMail ? stored.trim() || null : (answer.safeParse(parse(stored)).data ?? cutValue(stored));
  if (found === null) return null;
  const plain = found.replace(/\s+/g, ' ');
  return plain.length <= shownLength ? plain : `${plain.slice(0, shownLength - 1).toWellFormed()}…`;
}
