import { findPhoneNumbersInText, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { skipMessages, warningMessages } from '#server/features/sync/messages.ts';
import { vanityNumber } from '#shared/providers/vanityPhone.ts';
import { SkipError } from './fieldValues.ts';

/** What an exporter writes for a long number: the digits are lost. */
const scientific = /^[+-]?\d+(?:[.,]\d+)?E[+-]?\d+$/i;
/** Between two numbers, where each has the digits of one. */
const separator = /[,;/|]|\s(?:or|and|&)\s/i;
const wholeDigits = 10;
/** Where one number is followed by another without a separator. */
const firstNumber = /(?<!\d)(?:\+?1[\s.-]*)?\(?[2-9]\d{2}\)?[\s.-]*\d{3}[\s.-]*\d{4}(?!\d)/;
/** A number and its extension, without other words. */
const plain = /^[+\d\s().#/-]*(?:(?:ext|extension|x)?[\s.:#]*\d+)?$/i;

interface ReadPhone {
  phone: string;
  /** Why it isn't the whole text; null if it is. */
  warning: string | null;
}

function countDigits(text: string): number {
  return text.replace(/\D/g, '').length;
}

function isPossible(text: string): boolean {
  return parsePhoneNumberFromString(text, 'US')?.isPossible() === true;
}

/**
 * The phone number of a provider's text, which visitors see and call: as written if it is one, else its first number.
 * Throws SkipError if it has none.
 */
export function readPhone(text: string): ReadPhone {
  const written = text
    .normalize('NFKC')
    .replace(/\p{Pd}|\u2212/gu, '-')
    .replace(/^'+(?=[+\d(])/, '')
    .replace(/^tel:\s*/i, '')
    .trim();
  if (vanityNumber(written) !== null) return { phone: written, warning: null };
  if (scientific.test(written)) throw new SkipError(skipMessages.phone);
  const parts = written.split(separator).filter((part) => countDigits(part) >= wholeDigits);
  const [first = written] = parts.length > 1 ? parts.map((part) => part.trim()) : [];
  const isSeveral = parts.length > 1;
  if (!isSeveral && plain.test(first) && isPossible(first)) return { phone: first, warning: null };
  const number = numberIn(first);
  if (number === null) throw new SkipError(skipMessages.phone);
  const rest = written.replace(number, '');
  const isSecond = isSeveral || countDigits(rest) >= wholeDigits;
  return { phone: number, warning: isSecond ? warningMessages.firstPhone : warningMessages.phoneOnly };
}

/** The first number of a text, as it is written there. */
function numberIn(text: string): string | null {
  const [found] = findPhoneNumbersInText(text, 'US');
  if (found !== undefined && found.number.isPossible()) return text.slice(found.startsAt, found.endsAt);
  const [match] = firstNumber.exec(text) ?? [];
  return match !== undefined && isPossible(match) ? match.trim() : null;
}
